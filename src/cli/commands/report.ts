import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { exitCodeOf } from '../../report/exit-code.ts';
import type { SweepReport } from '../../report/schema.ts';
import { findReports } from '../../report/sweep/find-reports.ts';
import { mergeReports } from '../../report/sweep/merge.ts';
import { renderTable } from '../../report/sweep/table.ts';
import { UsageError } from '../../usage-error.ts';
import { addOutputFlags, type OutputFlags, say } from '../output.ts';
import type { Run, Surroundings } from '../surroundings.ts';

/** `sidecar-sweeper report merge`: merges the reports of a sweep's shards. */
export function defineReport(program: Command, choose: (run: Run) => void): void {
  const report = program.command('report').description('work with reports of earlier sweeps');
  const merge = report
    .command('merge')
    .description("merge the reports of a sweep's shards; the exit code is that of the whole sweep")
    .argument('[files...]', 'reports, or logs that contain reports (default: - for stdin)')
    .addHelpText('after', mergeExample);
  addOutputFlags(merge).action((files: readonly string[], flags: OutputFlags) => {
    choose((surroundings) => runMerge(files.length > 0 ? files : ['-'], flags, surroundings));
  });
}

async function runMerge(
  files: readonly string[],
  flags: OutputFlags,
  surroundings: Surroundings,
): Promise<number> {
  const reports: SweepReport[] = [];
  for (const file of files) {
    const found = findReports(file === '-' ? await text(surroundings.stdin) : await readInput(file));
    if (found.length === 0) throw new UsageError(`there is no report in ${file === '-' ? 'stdin' : file}`);
    reports.push(...found);
  }
  const merged = mergeReports(reports);
  if (merged.kind === 'Apart') throw new UsageError(`cannot merge: ${merged.problem}`);
  const { report } = merged;
  await say({ document: report, table: (style) => renderTable(report, style) }, flags, surroundings);
  return exitCodeOf(report);
}

async function readInput(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read the report: ${error instanceof Error ? error.message : error}`);
  }
}

const mergeExample = `
Example:
  kubectl logs -n sidecar-sweeper -l job-name=sidecar-sweeper --tail=-1 |
    sidecar-sweeper report merge`;
