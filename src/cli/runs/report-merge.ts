import { exitCodeOf } from '../../report/exit-code.ts';
import { podArgument } from '../../report/pod-argument.ts';
import { toRecords } from '../../report/records/write.ts';
import type { SweepReport } from '../../report/schema.ts';
import { sweepMarkdown } from '../../report/sweep/markdown.ts';
import { mergeReports } from '../../report/sweep/merge.ts';
import { renderTable } from '../../report/sweep/table.ts';
import { UsageError } from '../../util/usage-error.ts';
import type { FailOnFlags } from '../flags/fail-on.ts';
import { formatOfSweep, type OutputFlags, type Said, say } from '../output.ts';
import type { Surroundings } from '../surroundings.ts';
import { reportsOfFiles } from './files.ts';

export async function runMerge(
  files: readonly string[],
  flags: OutputFlags & FailOnFlags,
  surroundings: Surroundings,
): Promise<number> {
  const reports: SweepReport[] = [];
  for (const file of files) {
    const { reports: found } = await reportsOfFiles([file], surroundings);
    reports.push(...found);
  }
  const merged = mergeReports(reports);
  if (merged.kind === 'Apart') throw new UsageError(`cannot merge: ${merged.problem}`);
  const { report } = merged;
  const said: Said = {
    document: report,
    table: (style) => renderTable(report, style),
    markdown: () => sweepMarkdown(report),
    records: () => toRecords(report),
    names: () => report.pods.map((pod) => podArgument(pod, report.scope)),
  };
  await say(said, { ...flags, output: formatOfSweep(flags, surroundings) }, surroundings);
  return exitCodeOf(report, flags.failOn);
}
