import { createReadStream } from 'node:fs';
import { exitCodeOf } from '../../report/exit-code.ts';
import { readReports } from '../../report/records/read.ts';
import type { SweepReport } from '../../report/schema.ts';
import { mergeReports } from '../../report/sweep/merge.ts';
import { renderTable } from '../../report/sweep/table.ts';
import { UsageError } from '../../usage-error.ts';
import { linesOf } from '../lines.ts';
import { type OutputFlags, say } from '../output.ts';
import type { Surroundings } from '../surroundings.ts';

export async function runMerge(
  files: readonly string[],
  flags: OutputFlags,
  surroundings: Surroundings,
): Promise<number> {
  const reports: SweepReport[] = [];
  for (const file of files) {
    const found = await readInput(file, surroundings);
    if (found.length === 0) throw new UsageError(`there is no report in ${file === '-' ? 'stdin' : file}`);
    reports.push(...found);
  }
  const merged = mergeReports(reports);
  if (merged.kind === 'Apart') throw new UsageError(`cannot merge: ${merged.problem}`);
  const { report } = merged;
  await say({ document: report, table: (style) => renderTable(report, style) }, flags, surroundings);
  return exitCodeOf(report);
}

async function readInput(file: string, { stdin }: Surroundings): Promise<readonly SweepReport[]> {
  try {
    const { reports } = await readReports(linesOf(file === '-' ? stdin : createReadStream(file)));
    return reports;
  } catch (error) {
    throw new UsageError(`cannot read the report: ${error instanceof Error ? error.message : error}`);
  }
}
