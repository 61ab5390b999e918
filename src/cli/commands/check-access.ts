import type { Command } from 'commander';
import { addConnectionFlags } from '../flags/connection.ts';
import { addEventFlags } from '../flags/events.ts';
import { addLockFlags } from '../flags/lock.ts';
import { addPolicyFlags } from '../flags/policy.ts';
import { addScopeFlags } from '../flags/scope.ts';
import { describeCommand } from '../help.ts';
import { addOutputFlags, formatsWithout } from '../output.ts';
import type { CheckAccessFlags } from '../runs/check-access.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper check-access`: which permissions the account has, and the RBAC rules that are missing. */
export function defineCheckAccess(program: Command, choose: (run: Run) => void): void {
  const command = describeCommand(
    program.command('check-access'),
    'check whether the account has every permission that a sweep with these flags needs',
    [
      ['check-access', 'check the permissions for all namespaces'],
      ['check-access -n jobs --last-resort evict', 'check those that such a sweep needs'],
    ],
  );
  const scoped = addLockFlags(addEventFlags(addPolicyFlags(addScopeFlags(command))));
  addConnectionFlags(addOutputFlags(scoped, formatsWithout('wide', 'name'))).action(
    (flags: CheckAccessFlags) =>
      choose(async (surroundings) =>
        (await import('../runs/check-access.ts')).runCheckAccess(flags, surroundings),
      ),
  );
}
