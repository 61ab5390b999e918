import { exitCodeOf } from '../../report/exit-code.ts';
import { readReports } from '../../report/records/read.ts';
import type { SweepReport } from '../../report/schema.ts';
import { mergeReports } from '../../report/sweep/merge.ts';
import { renderTable } from '../../report/sweep/table.ts';
import { UsageError } from '../../usage-error.ts';
import { type OutputFlags, say } from '../output.ts';
import type { Surroundings } from '../surroundings.ts';
import { linesOfFiles } from './files.ts';

export async function runMerge(
  files: readonly string[],
  flags: OutputFlags,
  surroundings: Surroundings,
): Promise<number> {
  const reports: SweepReport[] = [];
  for (const file of files) {
    const { reports: found } = await readReports(linesOfFiles([file], surroundings));
    if (found.length === 0) throw new UsageError(`there is no report in ${file === '-' ? 'stdin' : file}`);
    reports.push(...found);
  }
  const merged = mergeReports(reports);
  if (merged.kind === 'Apart') throw new UsageError(`cannot merge: ${merged.problem}`);
  const { report } = merged;
  await say({ document: report, table: (style) => renderTable(report, style) }, flags, surroundings);
  return exitCodeOf(report);
}
