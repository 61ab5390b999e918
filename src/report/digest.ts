import { formatDuration } from '../duration.ts';
import { printable } from '../printable.ts';
import { exitCodeOf, isResolved } from './exit-code.ts';
import type { SweepReport } from './schema.ts';
import { describePod } from './texts/outcomes.ts';
import { describeWarning } from './texts/warnings.ts';

/** What a container may leave for `kubectl describe`, in bytes. */
const mostBytes = 4096;

/** A report in a few lines, most important first, that fit into a termination message. */
export function toDigest(report: SweepReport): string {
  const { run, totals, unread, pods, warnings } = report;
  const lines = [
    `${headline(report)} in ${formatDuration(run.durationMs)}; exit code ${exitCodeOf(report)}`,
    `pods: ${totals.listed} listed, ${totals.excluded} left alone, ${totals.undecided} undecided, ${totals.candidates} stuck`,
    ...count('stuck pods', totals.pods),
    ...count('their sidecars', totals.sidecars),
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

function count(what: string, counts: Readonly<Record<string, number>>): readonly string[] {
  const parts = Object.entries(counts).map(([kind, number]) => `${number} ${kind}`);
  return parts.length > 0 ? [`${what}: ${parts.join(', ')}`] : [];
}

/** As many lines as there is room for, and how many there was none for. */
function keepWhatFits(lines: readonly string[]): string {
  const whole = lines.join('\n');
  if (byteLength(whole) <= mostBytes) return whole;
  const room = mostBytes - byteLength('\n... and 1000000 lines more');
  let kept = 0;
  let bytes = 0;
  for (const line of lines) {
    bytes += byteLength(line) + 1;
    if (bytes > room) break;
    kept++;
  }
  return [...lines.slice(0, kept), `... and ${lines.length - kept} lines more`].join('\n');
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
