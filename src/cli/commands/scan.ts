import type { Command } from 'commander';
import { addConnectionFlags } from '../flags/connection.ts';
import { addPolicyFileFlag } from '../flags/policy.ts';
import { addScopeFlags, namespacesOf } from '../flags/scope.ts';
import { describeCommand } from '../help.ts';
import { addOutputFlags } from '../output.ts';
import type { LookFlags } from '../runs/look.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper scan`: the pods that a sweep would act on. */
export function defineScan(program: Command, choose: (run: Run) => void): void {
  const command = describeCommand(
    program.command('scan'),
    'list the pods that are stuck; needs only get and list, and changes nothing',
    [
      ['scan', 'list the stuck pods of all namespaces'],
      ['scan -n jobs -o wide', 'list those of one namespace, with every column'],
      [`scan -o name | xargs ${program.name()} explain`, 'show what a sweep would do about each'],
    ],
  );
  addConnectionFlags(addOutputFlags(addPolicyFileFlag(addScopeFlags(command)))).action((flags: LookFlags) => {
    // Report mutually exclusive flags before anything is read.
    namespacesOf(flags);
    choose(async (surroundings) => (await import('../runs/scan.ts')).runScan(flags, surroundings));
  });
}
