import { type Command, Option } from 'commander';
import { addConnectionFlags } from '../flags/connection.ts';
import { addPolicyFileFlag } from '../flags/policy.ts';
import { addScopeFlags, namespacesOf } from '../flags/scope.ts';
import { fileName } from '../flags/values.ts';
import { describeCommand, groups } from '../help.ts';
import { addOutputFlags, formatsWithout } from '../output.ts';
import type { LookFlags } from '../runs/look.ts';
import type { Run } from '../surroundings.ts';

type AdviseFlags = LookFlags & { readonly from?: readonly string[] };

/** `sidecar-sweeper advise`: how to keep pods from getting stuck again. */
export function defineAdvise(program: Command, choose: (run: Run) => void): void {
  const command = describeCommand(
    program.command('advise'),
    'say why the pods of each owner got stuck, and how to cure that for good; changes nothing',
    [
      ['advise', 'advise on all namespaces'],
      ['advise -n jobs -o markdown', 'advise on one namespace, as Markdown for an issue'],
      ['advise --from sweep.log', 'advise on the pods of earlier sweeps'],
    ],
  );
  command
    .optionsGroup(groups.scope)
    .addOption(
      new Option('--from <file>', 'advise on the pods of these reports; - is stdin; may be repeated')
        .argParser((file: string, before: readonly string[] = []) => [...before, fileName(file)])
        .conflicts(['namespace', 'allNamespaces', 'selector', 'includePending', 'minAge']),
    );
  addOutputFlags(addPolicyFileFlag(addScopeFlags(command)), formatsWithout('wide', 'name'));
  addConnectionFlags(command).action((flags: AdviseFlags) => {
    // Report mutually exclusive flags before anything is read.
    namespacesOf(flags);
    const { from, ...others } = flags;
    choose(async (surroundings) =>
      from
        ? (await import('../runs/advise-from.ts')).runAdviseFrom(from, others, surroundings)
        : (await import('../runs/advise.ts')).runAdvise(others, surroundings),
    );
  });
}
