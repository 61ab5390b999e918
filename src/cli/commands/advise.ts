import type { Command } from 'commander';
import { addClustersFlags } from '../flags/connection.ts';
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
      ['advise', 'the advice on all namespaces'],
      ['advise -n jobs -o markdown', 'that on one namespace, for an issue'],
    ],
  );
  addOutputFlags(
    addClustersFlags(addPolicyFileFlag(addScopeFlags(command))),
    formatsWithout('wide', 'name'),
  ).action((flags: LookFlags) => {
    // Report mutually exclusive flags before anything is read.
    namespacesOf(flags);
    choose(async (surroundings) => (await import('../runs/advise.ts')).runAdvise(flags, surroundings));
  });
}
