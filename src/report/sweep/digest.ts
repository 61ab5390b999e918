import { printable } from '../../util/text.ts';
import { formatDuration } from '../../util/time.ts';
import { describeCounts, describeSidecars } from '../counts.ts';
import { isResolved } from '../exit-code.ts';
import type { SweepReport } from '../schema.ts';
import { describePod } from '../texts/outcomes.ts';
import { describeWarning } from '../texts/warnings.ts';

/** The kubelet truncates longer termination messages. In bytes. */
const mostBytes = 4096;

/** A report in as many lines as fit into a termination message, the most important ones first. */
export function toDigest(report: SweepReport, exitCode: number): string {
  const { run, totals, unread, pods, warnings } = report;
  const lines = [
    `${headline(report)} in ${formatDuration(run.durationMs)}; exit code ${exitCode}`,
    `pods: ${totals.listed} listed, ${totals.excluded} left alone, ${totals.undecided} undecided, ${totals.candidates} stuck`,
    ...(pods.length > 0
      ? [`stuck pods: ${describeCounts(totals.pods)}`, `their sidecars: ${describeSidecars(totals)}`]
      : []),
    ...(Object.keys(totals.leftForNext).length > 0
      ? [`left for the next sweep: ${describeCounts(totals.leftForNext)}`]
      : []),
    ...(Object.keys(totals.harm).length > 0 ? [`harm: ${describeCounts(totals.harm)}`] : []),
    ...unread.map(({ namespace, message }) => `unread: ${namespace ?? 'all namespaces'}: ${message}`),
    ...warnings.map((warning) => `warning: ${describeWarning(warning)}`),
    ...pods
      .filter(({ outcome }) => !isResolved(outcome))
      .map(({ namespace, name, outcome }) => `unresolved: ${namespace}/${name}: ${describePod(outcome)}`),
  ];
  return keepWhatFits(lines.map((line) => printable(line, 200)));
}

function headline({ run }: SweepReport): string {
  const what = run.dryRun ? 'dry run' : 'sweep';
  return run.stoppedEarly ? `${what} stopped early (${run.stoppedEarly})` : `${what} finished`;
}

/** As many lines as fit, and how many do not. */
function keepWhatFits(lines: readonly string[]): string {
  const whole = lines.join('\n');
  if (byteLength(whole) <= mostBytes) return whole;
  const room = mostBytes - byteLength('\n... and 1000000 more lines');
  let kept = 0;
  let bytes = 0;
  for (const line of lines) {
    bytes += byteLength(line) + 1;
    if (bytes > room) break;
    kept++;
  }
  return [...lines.slice(0, kept), `... and ${lines.length - kept} more lines`].join('\n');
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
