import type { Command } from 'commander';
import { addConnectionFlags } from '../flags/connection.ts';
import { addPolicyFileFlag } from '../flags/policy.ts';
import { addScopeFlags, namespacesOf } from '../flags/scope.ts';
import { describeCommand } from '../help.ts';
import { addOutputFlags, formatsWithout } from '../output.ts';
import type { LookFlags } from '../runs/look.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper advise`: how to keep pods from getting stuck again. */
export function defineAdvise(program: Command, choose: (run: Run) => void): void {
  const command = describeCommand(
    program.command('advise'),
    'say why the pods of each owner got stuck, and how to cure that for good; changes nothing',
    [
      ['advise', 'advise on all namespaces'],
      ['advise -n jobs -o markdown', 'advise on one namespace, as Markdown for an issue'],
    ],
  );
  addOutputFlags(addPolicyFileFlag(addScopeFlags(command)), formatsWithout('wide', 'name'));
  addConnectionFlags(command).action((flags: LookFlags) => {
    // Report mutually exclusive flags before anything is read.
    namespacesOf(flags);
    choose(async (surroundings) => (await import('../runs/advise.ts')).runAdvise(flags, surroundings));
  });
}
