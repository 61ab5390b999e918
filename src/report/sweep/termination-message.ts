import { printable } from '../../util/text.ts';
import { isResolved } from '../exit-code.ts';
import { notesOnFound } from '../found.ts';
import type { SweepReport } from '../schema.ts';
import { describePod } from '../texts/outcomes.ts';
import { resultOf } from './view.ts';

/** The kubelet truncates longer termination messages. In bytes. */
const mostBytes = 4096;

/** A report in as many lines as fit into a termination message, the most important ones first. */
export function toTerminationMessage(report: SweepReport, exitCode: number): string {
  const { unread, pods } = report;
  const extent = { wide: false };
  const lines = [
    `exit code ${exitCode}`,
    ...resultOf(report, extent).flat(),
    ...unread.map(({ namespace, message }) => `unread: ${namespace ?? 'all namespaces'}: ${message}`),
    ...notesOnFound(report, extent),
    ...pods
      .filter(({ outcome }) => !isResolved(outcome))
      .map(({ namespace, name, outcome }) => `unresolved: ${namespace}/${name}: ${describePod(outcome)}`),
  ];
  return keepWhatFits(lines.map((line) => printable(line, 400)));
}

function keepWhatFits(lines: readonly string[]): string {
  const whole = lines.join('\n');
  if (Buffer.byteLength(whole) <= mostBytes) return whole;
  const available = mostBytes - Buffer.byteLength('\n... and 1000000 more lines');
  let kept = 0;
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > available) break;
    kept++;
  }
  return [...lines.slice(0, kept), `... and ${lines.length - kept} more lines`].join('\n');
}
