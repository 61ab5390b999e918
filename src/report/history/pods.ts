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
import type { KnownCluster } from './sweeps.ts';

/** What all sweeps together say about one pod that was stuck. */
export interface PodHistory {
  readonly cluster: KnownCluster;
  /** What starts such pods again and again, and its key among those of all namespaces and clusters. */
  readonly origin: Origin;
  readonly originKey: string;
  readonly firstSeenAt: Millis;
  readonly lastSeenAt: Millis;
  readonly sweeps: number;
  /** As first seen: an image swap changes the image later on. */
  readonly sidecars: readonly ImageOf[];
  readonly last: Sighting;
  readonly harm: HarmKind | undefined;
  readonly fate: 'Ended' | 'Gone' | 'Stuck';
  /** When it ended, or when it was last known to be stuck. */
  readonly until: Millis;
}

/** A sighting, with the sweep that made it. */
export interface Seen {
  readonly cluster: KnownCluster;
  readonly series: string;
  readonly at: Millis;
  readonly sighting: Sighting;
}

/** @param lastComplete When each series of sweeps last saw all of its pods. */
export function podHistories(
  seen: readonly Seen[],
  lastComplete: ReadonlyMap<string, Millis>,
): readonly PodHistory[] {
  const byPod = new Map<string, [Seen, ...Seen[]]>();
  for (const one of seen) {
    const { uid, namespace, name, mainsEndedAt } = one.sighting;
    // Reports of earlier versions lack the uids of pods that wait to start.
    const key = `${one.cluster.id} ${uid ?? `${namespace}/${name} ${mainsEndedAt}`}`;
    const before = byPod.get(key);
    if (before) before.push(one);
    else byPod.set(key, [one]);
  }
  return [...byPod.values()].map((all) => historyOfPod(all, lastComplete));
}

function historyOfPod(
  seen: readonly [Seen, ...Seen[]],
  lastComplete: ReadonlyMap<string, Millis>,
): PodHistory {
  const [first] = seen;
  const { at: lastSeenAt, sighting: last } = seen.at(-1) ?? first;
  const series = new Set(seen.map((one) => one.series));
  // A pod is gone if a sweep that saw all pods no longer found it. When it went is unknown, so no more is counted.
  const isMissing = [...series].some((one) => (lastComplete.get(one) ?? lastSeenAt) > lastSeenAt);
  const fate = last.left.kind === 'Stuck' && isMissing ? 'Gone' : last.left.kind;
  const until = Math.max(last.left.kind === 'Stuck' ? lastSeenAt : last.left.at, last.mainsEndedAt);
  const origin = originOf(last);
  return {
    cluster: first.cluster,
    origin,
    originKey: `${first.cluster.id} ${last.namespace} ${origin.kind} ${origin.name}`,
    firstSeenAt: first.at,
    lastSeenAt,
    sweeps: seen.length,
    sidecars: first.sighting.sidecars,
    last,
    harm: seen.findLast(({ sighting }) => sighting.harm)?.sighting.harm,
    fate,
    until,
  };
}

/** The Job or other owner of the pod; the pod itself if it has none. */
export function instanceOf({ last: { owner, name } }: PodHistory): string {
  return owner?.name ?? name;
}

/** What starts pods again and again, as far as names show it. */
export interface Origin {
  readonly kind: string;
  readonly name: string;
}

interface Owned extends PodName {
  readonly owner?: Origin | undefined;
  readonly mainsEndedAt: Millis;
}

const minute: Millis = 60_000;
const day = 24 * 60 * minute;

/**
 * The part of a name that differs each time: five characters of Kubernetes' generateName, which has no vowels
 * (`alphanums` in k8s.io/apimachinery/pkg/util/rand), eight of Airflow (`add_unique_suffix`), or a date.
 */
const generated = /^(?:[bcdfghjklmnpqrstvwxz2456789]{5}|(?=[a-z]*\d)[a-z0-9]{8}|\d{8,})$/;

/** The owner of a pod, with `*` for the part of its name that differs each time. */
export function originOf({ owner, name, mainsEndedAt }: Owned): Origin {
  const { kind, name: own } = owner ?? { kind: 'Pod', name };
  const dash = own.lastIndexOf('-');
  const [stem, end] = [own.slice(0, dash), own.slice(dash + 1)];
  if (dash < 1 || !generated.test(end)) return { kind, name: own };
  // A CronJob names a Job after itself and the minute in which it was due (`getJobName` in pkg/controller/cronjob).
  // A date is no such minute: 20261122 would be in the year 2008.
  const due = Number(end) * minute;
  const isDue = due <= mainsEndedAt + day && due > mainsEndedAt - 366 * day;
  return kind === 'Job' && isDue ? { kind: 'CronJob', name: stem } : { kind, name: `${stem}-*` };
}

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

interface ImageOf {
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
