import type { Command } from 'commander';
import { addFailOnFlag, type FailOnFlags } from '../flags/fail-on.ts';
import { describeCommand } from '../help.ts';
import { addOutputFlags, addSweepOutputFlags, type OutputFlags } from '../output.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper report`: what the reports of many sweeps say together. */
export function defineReport(program: Command, choose: (run: Run) => void): void {
  const report = describeCommand(
    program.command('report'),
    'sum up the reports of many sweeps: waste, its trend, what keeps coming back',
    [
      ['report prod/*.log staging/*.log', 'sum up the sweeps of two clusters'],
      ['report -o html sweep.log > report.html', 'write a page for the browser'],
    ],
  )
    .argument('[files...]', 'reports, or logs that contain reports (default: -, which is stdin)')
    // The flags of `merge` belong to it.
    .enablePositionalOptions();
  addOutputFlags(report, ['table', 'wide', 'json', 'markdown', 'html']).action(
    (files: readonly string[], flags: OutputFlags) => {
      choose(async (surroundings) => {
        const { runReport } = await import('../runs/report.ts');
        return runReport(orStdin(files), flags, surroundings);
      });
    },
  );
  defineMerge(report, choose);
}

/** `sidecar-sweeper report merge`: merges the reports of a sweep's shards. A file of that name is `./merge`. */
function defineMerge(report: Command, choose: (run: Run) => void): void {
  const merge = describeCommand(
    report.command('merge'),
    'print the report of one sweep, from its log or those of its shards; the exit code is that of the whole sweep',
    [
      ['report merge sweep.log', 'print the report of the sweep that wrote this log'],
      ['report merge shard-0.log shard-1.log', 'merge the reports of the shards of one sweep'],
    ],
  ).argument('[files...]', 'reports, or logs that contain reports (default: -, which is stdin)');
  addFailOnFlag(addSweepOutputFlags(merge)).action(
    (files: readonly string[], flags: OutputFlags & FailOnFlags) => {
      choose(async (surroundings) => {
        const { runMerge } = await import('../runs/report-merge.ts');
        return runMerge(orStdin(files), flags, surroundings);
      });
    },
  );
}

function orStdin(files: readonly string[]): readonly string[] {
  return files.length > 0 ? files : ['-'];
}
