import type { Command } from 'commander';
import { UsageError } from '../../util/usage-error.ts';
import { addConnectionFlags } from '../flags/connection.ts';
import { addPolicyFlags } from '../flags/policy.ts';
import { addMinAgeFlag, addNamespaceFlags, namespacesOf } from '../flags/scope.ts';
import { describeCommand } from '../help.ts';
import { addOutputFlags, formatsWithout } from '../output.ts';
import { readPods } from '../pod-arguments.ts';
import type { ExplainFlags } from '../runs/explain.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper explain <namespace>/<pod>`: why pods are swept or left alone. */
export function defineExplain(program: Command, choose: (run: Run) => void): void {
  const command = describeCommand(
    program.command('explain'),
    'show why pods are swept or left alone, and what a sweep would do; changes nothing',
    [
      ['explain jobs/report-x2k9p', 'explain one pod, by its namespace and name'],
      ['explain -n jobs report-x2k9p mail-r7zrj', 'explain several pods of a namespace'],
      ['explain -n jobs -l app=report -v', 'explain all pods with a label, with every check'],
    ],
  ).argument('[pods...]', '<namespace>/<pod>, or with -n also <pod> or pod/<pod>');
  const scoped = addPolicyFlags(addMinAgeFlag(addNamespaceFlags(command)));
  addOutputFlags(scoped, formatsWithout('name')).option(
    '-v, --verbose',
    'list the checks that passed as well',
  );
  addConnectionFlags(command).action((words: readonly string[], flags: ExplainFlags) => {
    const pods = readPods(words, namespacesOf(flags));
    if (pods.length > 0 === (flags.selector !== undefined)) {
      throw new UsageError('name the pods to explain, or select them by their labels with -l');
    }
    choose(async (surroundings) =>
      (await import('../runs/explain.ts')).runExplain(pods, flags, surroundings),
    );
  });
}
