import type { Millis } from '../duration.ts';
import type { HarmKind } from '../model/job.ts';
import type { PodName, Resources } from '../model/pod.ts';
import type { Why } from '../report/history/schema.ts';
import type { PodReport, SweepReport, WaitingPodReport } from '../report/schema.ts';
import { type SidecarReport, sidecarsOf } from '../report/sweep/planned.ts';
import { endedBySweep } from './ended-by-sweep.ts';
import { whyStuck, whyWaiting } from './why.ts';

/** How a sweep left a pod. */
type Left =
  | { readonly kind: 'Stuck'; readonly why: Why }
  | { readonly kind: 'Ended'; readonly at: Millis }
  /** It ended or went away otherwise. */
  | { readonly kind: 'Gone'; readonly at: Millis };

/** What one sweep says about one stuck pod. */
export interface Sighting extends PodName {
  readonly uid: string | undefined;
  readonly owner: PodReport['owner'];
  readonly sidecars: readonly ImageOf[];
  readonly requests: Resources;
  readonly mainsEndedAt: Millis;
  readonly left: Left;
  readonly harm: HarmKind | undefined;
}

export interface ImageOf {
  readonly name: string;
  readonly image: string;
}

/** The stuck pods of a report, as they were at this time. */
export function sightingsOf(report: SweepReport, asOf: Millis): readonly Sighting[] {
  const finishedAt = Date.parse(report.run.finishedAt);
  return [
    ...report.pods.map((pod) => sightPod(pod, asOf, finishedAt)),
    ...report.neverStarted.map((pod) => sightWaiting(pod, 'NeverStarted')),
    ...report.notStartedAgain.map((pod) => sightWaiting(pod, 'NotStartedAgain')),
  ];
}

function sightPod(pod: PodReport, asOf: Millis, finishedAt: Millis): Sighting {
  const { uid, namespace, name, owner, requests, mainsEndedAt, harm } = pod;
  const sidecars = sidecarsOf(pod);
  return {
    namespace,
    name,
    uid,
    owner,
    // One that had ended before did not keep the pod.
    sidecars: sidecars.filter(({ outcome }) => outcome.kind !== 'AlreadyEnded').map(imageOf),
    requests,
    mainsEndedAt: Date.parse(mainsEndedAt),
    left: leftBy(pod, sidecars, asOf, finishedAt),
    harm: harm?.kind,
  };
}

function leftBy(pod: PodReport, sidecars: readonly SidecarReport[], asOf: Millis, finishedAt: Millis): Left {
  switch (pod.outcome.kind) {
    case 'Ended':
    case 'Unsettled': {
      const ends = sidecars.flatMap(({ endedAt }) => (endedAt === undefined ? [] : [Date.parse(endedAt)]));
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
    case 'Held':
    case 'NotAttempted':
    case 'Unproven':
      return { kind: 'Stuck', why: whyStuck(pod) };
  }
}

function sightWaiting(pod: WaitingPodReport, outcome: 'NeverStarted' | 'NotStartedAgain'): Sighting {
  const { namespace, name, uid, owner, requests, waiting, mainsEndedAt } = pod;
  return {
    namespace,
    name,
    uid,
    owner,
    sidecars: waiting.map(imageOf),
    requests: requests ?? { cpu: 0, memory: 0 },
    mainsEndedAt: Date.parse(mainsEndedAt),
    left: { kind: 'Stuck', why: whyWaiting(pod, outcome) },
    harm: undefined,
  };
}

function imageOf({ name, image }: ImageOf): ImageOf {
  return { name, image };
}
