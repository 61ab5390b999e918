import { markdownList, markdownParts, markdownRows } from '../markdown.ts';
import type { SweepReport } from '../schema.ts';
import { describeContainer, describeJob, describePod } from '../texts/outcomes.ts';
import { describeWarning } from '../texts/warnings.ts';
import { elapsed } from '../times.ts';
import { summary } from './table.ts';

const head = ['NAMESPACE', 'POD', 'STUCK FOR', 'SIDECAR', 'OUTCOME', 'POD NOW', 'JOB'];

/** The report for a page or an issue: a row for each sidecar, then the totals. */
export function sweepMarkdown(report: SweepReport): string {
  const rows = report.pods.flatMap((pod) =>
    pod.containers.flatMap((container) => {
      if (container.role !== 'Sidecar') return [];
      const { outcome } = pod;
      return [
        [
          pod.namespace,
          pod.name,
          elapsed(pod.mainsEndedAt, report.run.asOf),
          container.name,
          describeContainer(container.outcome),
          describePod(outcome),
          'job' in outcome ? describeJob(outcome.job) : '',
        ],
      ];
    }),
  );
  return markdownParts(
    rows.length > 0 ? markdownRows(head, rows) : '',
    markdownList(report.warnings.map((warning) => `warning: ${describeWarning(warning)}`)),
    summary(report),
  );
}
