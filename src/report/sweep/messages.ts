import type { HarmKind } from '../../model/job.ts';
import type { PodRef } from '../../model/pod.ts';
import type { HarmDone, PodConclusion, TargetConclusion } from '../../plan/sweep-event.ts';
import { printable } from '../../util/text.ts';
import { formatDuration } from '../../util/time.ts';
import { describeCounts, describeSidecars } from '../counts.ts';
import { isResolved } from '../exit-code.ts';
import type { SweepReport } from '../schema.ts';
import { describeContainer, describeJob, describePod } from '../texts/outcomes.ts';
import { describeWarning } from '../texts/warnings.ts';

/** What an Event on a pod says about its sweep. */
export interface PodNote {
  readonly reason: 'SidecarStopped' | 'SidecarNotStopped' | 'SidecarBlocked';
  readonly type: 'Normal' | 'Warning';
  readonly note: string;
}

/** The API server accepts up to 1024 bytes, and a character has up to four. */
const mostCharacters = 250;

/** The Event for a pod's conclusion; undefined if nothing was done about the pod, or it no longer exists. */
export function toPodNote({ targets, outcome }: PodConclusion): PodNote | undefined {
  const sidecars = targets.map(describeTarget).join('; ');
  const note = (text: string) => printable(text, mostCharacters);
  switch (outcome.kind) {
    case 'Ended': {
      const job = describeJob(outcome.job);
      const after = `the pod is ${outcome.phase}${job === '' ? '' : `, its Job ${job}`}`;
      return { reason: 'SidecarStopped', type: 'Normal', note: note(`${sidecars}; ${after}`) };
    }
    case 'Unsettled':
      return { reason: 'SidecarStopped', type: 'Normal', note: note(sidecars) };
    case 'Blocked':
      return { reason: 'SidecarBlocked', type: 'Warning', note: note(sidecars) };
    case 'Stuck':
    case 'Skipped':
    case 'Unproven':
      return {
        reason: 'SidecarNotStopped',
        type: 'Warning',
        note: note(`${sidecars}; the pod is ${describePod(outcome)}`),
      };
    case 'Gone':
    case 'Replaced':
    case 'NotAttempted':
      return undefined;
  }
}

function describeTarget({ container, outcome }: TargetConclusion): string {
  return `${container} ${describeContainer(outcome)}`;
}

/** What an Event on a Job, or on a pod without one, says about the harm that a sweep has done. */
export interface HarmNote {
  readonly reason:
    | 'FinishedWorkRunsAgain'
    | 'FinishedIndexFailed'
    | 'FinishedJobFailed'
    | 'FinishedPodFailed';
  readonly type: 'Warning';
  readonly note: string;
}

/** The Event for what a sweep did to a Job: the pod may be gone, and its own Events with it. */
export function toHarmNote({ name }: PodRef, { kind }: HarmDone): HarmNote {
  const note = printable(`the mains of pod ${name} had succeeded, but ${texts[kind]}`);
  return { reason: reasons[kind], type: 'Warning', note };
}

const reasons: Record<HarmKind, HarmNote['reason']> = {
  RunsAgain: 'FinishedWorkRunsAgain',
  IndexFailed: 'FinishedIndexFailed',
  JobFailed: 'FinishedJobFailed',
  PodFailed: 'FinishedPodFailed',
};

const texts: Record<HarmKind, string> = {
  RunsAgain: 'a sweep ended its sidecar uncleanly, so its work runs again',
  IndexFailed: 'a sweep ended its sidecar uncleanly, so its index has failed',
  JobFailed: 'a sweep ended or restarted its sidecar, so the Job has failed',
  PodFailed: 'a sweep ended its sidecar uncleanly, so the pod has failed',
};

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
