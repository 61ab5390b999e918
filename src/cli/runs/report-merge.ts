import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { exitCodeOf } from '../../report/exit-code.ts';
import { podArgument } from '../../report/pod-argument.ts';
import type { SweepReport } from '../../report/schema.ts';
import { findReports } from '../../report/sweep/find-reports.ts';
import { sweepMarkdown } from '../../report/sweep/markdown.ts';
import { mergeReports } from '../../report/sweep/merge.ts';
import { renderTable } from '../../report/sweep/table.ts';
import { UsageError } from '../../usage-error.ts';
import { formatOfSweep, type OutputFlags, type Said, say } from '../output.ts';
import type { Surroundings } from '../surroundings.ts';

export async function runMerge(
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
  const said: Said = {
    document: report,
    table: (style) => renderTable(report, style),
    markdown: () => sweepMarkdown(report),
    names: () => report.pods.map((pod) => podArgument(pod, report.scope)),
  };
  await say(said, { output: formatOfSweep(flags, surroundings) }, surroundings);
  return exitCodeOf(report);
}

async function readInput(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read the report: ${error instanceof Error ? error.message : error}`);
  }
}
