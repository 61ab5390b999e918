import type { Command } from 'commander';
import { addClustersFlags } from '../flags/connection.ts';
import { addPolicyFileFlag } from '../flags/policy.ts';
import { addScopeFlags, namespacesOf } from '../flags/scope.ts';
import { addOutputFlags } from '../output.ts';
import type { LookFlags } from '../runs/look.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper advise`: how to keep pods from getting stuck again. */
export function defineAdvise(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('advise')
    .description('say why the pods of each owner got stuck, and how to cure that for good; changes nothing');
  addOutputFlags(addClustersFlags(addPolicyFileFlag(addScopeFlags(command)))).action((flags: LookFlags) => {
    // Report mutually exclusive flags before anything is read.
    namespacesOf(flags);
    choose(async (surroundings) => (await import('../runs/advise.ts')).runAdvise(flags, surroundings));
  });
}
