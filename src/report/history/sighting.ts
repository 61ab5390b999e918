import { mayHaveWorked } from '../../methods/attempt.ts';
import { endsPod } from '../../methods/index.ts';
import type { HarmKind } from '../../model/job.ts';
import type { PodName, Resources } from '../../model/pod.ts';
import type { Millis } from '../../util/time.ts';
import { wordOf } from '../records/fields.ts';
import type { PodReport, SweepReport, WaitingPodReport } from '../schema.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describePod } from '../texts/outcomes.ts';
import type { Why } from './schema.ts';

/** What one sweep reports about one stuck pod. */
export interface Sighting extends PodName {
  readonly uid: string | undefined;
  readonly owner: PodReport['owner'];
  readonly sidecars: readonly ImageOf[];
  readonly requests: Resources;
  readonly mainsEndedAt: Millis;
  readonly left: Left;
  readonly harm: HarmKind | undefined;
}

/** How the sweep left the pod. */
type Left =
  | { readonly kind: 'Stuck'; readonly why: Why }
  /** The sweep ended it. */
  | { readonly kind: 'Ended'; readonly at: Millis }
  /** It ended by itself or was deleted. */
  | { readonly kind: 'Gone'; readonly at: Millis };

export interface ImageOf {
  readonly name: string;
  readonly image: string;
}

/** The stuck pods of a report, judged at this time. */
export function sightingsOf(report: SweepReport, asOf: Millis): readonly Sighting[] {
  const finishedAt = Date.parse(report.run.finishedAt);
  return [
    ...report.pods.map((pod) => sightPod(pod, asOf, finishedAt)),
    ...report.neverStarted.map((pod) => sightWaiting(pod, 'NeverStarted')),
    ...report.notStartedAgain.map((pod) => sightWaiting(pod, 'NotStartedAgain')),
  ];
}

/** Whether the report shows that the sweep ended the pod: it may have ended by itself or have been deleted. */
export function endedBySweep(pod: PodReport): boolean {
  const sidecars = sidecarsOf(pod);
  const attempts = sidecars.flatMap((sidecar) => sidecar.attempts.filter(mayHaveWorked));
  if (pod.harm || attempts.some(({ method }) => endsPod(method))) return true;
  // Of a pod that no longer exists, only the Job shows how it ended: it completes if its pods have succeeded.
  if (pod.outcome.kind === 'Gone') return attempts.length > 0 && pod.outcome.job.kind === 'Complete';
  return sidecars.some((one) => one.outcome.kind === 'Stopped' && one.attempts.some(mayHaveWorked));
}

function sightPod(pod: PodReport, asOf: Millis, finishedAt: Millis): Sighting {
  const { uid, namespace, name, owner, requests, mainsEndedAt, harm } = pod;
  return {
    ...{ namespace, name, uid, owner, requests },
    // A sidecar that had ended before the sweep did not keep the pod running.
    sidecars: sidecarsOf(pod)
      .filter(({ outcome }) => outcome.kind !== 'AlreadyEnded')
      .map(imageOf),
    mainsEndedAt: Date.parse(mainsEndedAt),
    left: leftBy(pod, asOf, finishedAt),
    harm: harm?.kind,
  };
}

function leftBy(pod: PodReport, asOf: Millis, finishedAt: Millis): Left {
  switch (pod.outcome.kind) {
    case 'Ended':
    case 'Unsettled': {
      const ends = sidecarsOf(pod).flatMap(({ endedAt }) =>
        endedAt === undefined ? [] : [Date.parse(endedAt)],
      );
      const at = ends.length > 0 ? Math.max(...ends) : finishedAt;
      return { kind: endedBySweep(pod) ? 'Ended' : 'Gone', at };
    }
    case 'Gone':
    case 'Replaced':
      return endedBySweep(pod) ? { kind: 'Ended', at: finishedAt } : { kind: 'Gone', at: asOf };
    case 'Skipped':
      if (pod.outcome.reason.kind === 'NoLongerCandidate') return { kind: 'Gone', at: asOf };
      return { kind: 'Stuck', why: whyStuck(pod) };
    case 'Stuck':
    case 'Blocked':
    case 'NotAttempted':
    case 'Unproven':
      return { kind: 'Stuck', why: whyStuck(pod) };
  }
}

/** The outcome of the first sidecar that did not end, or else of the pod. */
function whyStuck(pod: PodReport): Why {
  const running = sidecarsOf(pod).find(
    ({ outcome }) => outcome.kind !== 'Stopped' && outcome.kind !== 'AlreadyEnded',
  );
  if (!running) return { ...wordOf(pod.outcome), words: describePod(pod.outcome) };
  const { outcome, advice } = running;
  const words = describeContainer(outcome);
  return { ...wordOf(outcome), words, ...(advice !== undefined && { advice }) };
}

function sightWaiting(pod: WaitingPodReport, outcome: 'NeverStarted' | 'NotStartedAgain'): Sighting {
  const { namespace, name, uid, owner, waiting, mainsEndedAt } = pod;
  const reason = [...new Set(waiting.map((one) => one.reason))].join(', ');
  const words = outcome === 'NeverStarted' ? 'never started' : 'ended, and does not start again';
  return {
    ...{ namespace, name, uid, owner },
    sidecars: waiting.map(imageOf),
    requests: pod.requests ?? { cpu: 0, memory: 0 },
    mainsEndedAt: Date.parse(mainsEndedAt),
    left: {
      kind: 'Stuck',
      why: { outcome, ...(reason !== '' && { reason }), words: `${words}: ${reason}` },
    },
    harm: undefined,
  };
}

function imageOf({ name, image }: ImageOf): ImageOf {
  return { name, image };
}
