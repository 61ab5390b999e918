import type { Command } from 'commander';
import { addSweepOutputFlags, type OutputFlags } from '../output.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper report merge`: merges the reports of a sweep's shards. */
export function defineReport(program: Command, choose: (run: Run) => void): void {
  const report = program.command('report').description('work with reports of earlier sweeps');
  const merge = report
    .command('merge')
    .description("merge the reports of a sweep's shards; the exit code is that of the whole sweep")
    .argument('[files...]', 'reports, or logs that contain reports (default: - for stdin)')
    .addHelpText('after', mergeExample);
  addSweepOutputFlags(merge).action((files: readonly string[], flags: OutputFlags) => {
    choose(async (surroundings) => {
      const { runMerge } = await import('../runs/report-merge.ts');
      return runMerge(files.length > 0 ? files : ['-'], flags, surroundings);
    });
  });
}

const mergeExample = `
Example:
  kubectl logs -n sidecar-sweeper -l job-name=sidecar-sweeper --tail=-1 |
    sidecar-sweeper report merge`;
