import type { PodOutcome } from '../../model/outcome.ts';
import type { PodRef } from '../../model/pod.ts';
import type { HarmDone, PodConclusion } from '../../plan/sweep-event.ts';
import { printable } from '../../util/text.ts';
import { isResolved } from '../exit-code.ts';
import { notesOnFound } from '../found.ts';
import type { SweepReport } from '../schema.ts';
import { describeContainer, describeEnd, describePod, harms } from '../texts/outcomes.ts';
import { foundOf, resultOf } from './view.ts';

/** The API server accepts up to 1024 bytes, and a character has up to four. */
const mostCharacters = 250;

/** The Event for a pod's conclusion; undefined if nothing was done about the pod, or it no longer exists. */
export function toPodNote({ targets, outcome }: PodConclusion) {
  const reason = reasons[outcome.kind];
  if (reason === undefined) return undefined;
  const each = targets.map(({ container, outcome }) => `${container} ${describeContainer(outcome)}`);
  const note = printable([...each, `pod ${describeEnd(outcome)}`].join('; '), mostCharacters);
  return { reason, type: reason === 'SidecarStopped' ? 'Normal' : 'Warning', note } as const;
}

const reasons = {
  Ended: 'SidecarStopped',
  Unsettled: 'SidecarStopped',
  Blocked: 'SidecarBlocked',
  Stuck: 'SidecarNotStopped',
  Skipped: 'SidecarNotStopped',
  Unproven: 'SidecarNotStopped',
  Gone: undefined,
  Replaced: undefined,
  NotAttempted: undefined,
} as const satisfies Record<PodOutcome['kind'], string | undefined>;

/** The Event for what a sweep did to a Job or, without one, to a pod: it may be gone, and its own Events with it. */
export function toHarmNote({ name }: PodRef, { kind, expected }: HarmDone) {
  const what = `${expected ? 'most likely ' : ''}${kind === 'PodFailed' ? 'it' : 'its Job'}`;
  return {
    reason: `Finished${kind === 'RunsAgain' ? 'WorkRunsAgain' : kind}`,
    type: 'Warning',
    note: printable(
      `the mains of pod ${name} had succeeded, but by an act of a sweep ${what} ${harms[kind]}`,
    ),
  } as const;
}

/** The kubelet truncates longer termination messages. In bytes. */
const mostBytes = 4096;

/** A report in as many lines as fit into a termination message, the most important ones first. */
export function toDigest(report: SweepReport, exitCode: number): string {
  const { unread, pods } = report;
  const extent = { all: false };
  const lines = [
    `exit code ${exitCode}`,
    ...resultOf(report, extent).flat(),
    ...unread.map(({ namespace, message }) => `unread: ${namespace ?? 'all namespaces'}: ${message}`),
    ...notesOnFound(foundOf(report), extent),
    ...pods
      .filter(({ outcome }) => !isResolved(outcome))
      .map(({ namespace, name, outcome }) => `unresolved: ${namespace}/${name}: ${describePod(outcome)}`),
  ];
  return keepWhatFits(lines.map((line) => printable(line, 400)));
}

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
  return Buffer.byteLength(text);
}
