import type { Command } from 'commander';
import { addConnectionFlags } from '../flags/connection.ts';
import { addEventFlags } from '../flags/events.ts';
import { addLockFlags } from '../flags/lock.ts';
import { addPolicyFlags } from '../flags/policy.ts';
import { addScopeFlags } from '../flags/scope.ts';
import { addOutputFlags } from '../output.ts';
import type { CheckAccessFlags } from '../runs/check-access.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper check-access`: which permissions the account has, and the RBAC rules that are missing. */
export function defineCheckAccess(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('check-access')
    .description('check whether the account has every permission that a sweep with these flags needs');
  const scoped = addLockFlags(addEventFlags(addPolicyFlags(addScopeFlags(command))));
  addOutputFlags(addConnectionFlags(scoped)).action((flags: CheckAccessFlags) =>
    choose(async (surroundings) =>
      (await import('../runs/check-access.ts')).runCheckAccess(flags, surroundings),
    ),
  );
}
