import { mayHaveWorked } from '../../methods/attempt.ts';
import { endsPod } from '../../methods/index.ts';
import type { HarmKind } from '../../model/job.ts';
import type { PodName, PodRef, Resources } from '../../model/pod.ts';
import type { Millis } from '../../util/time.ts';
import { wordOf } from '../records/fields.ts';
import type { PodReport, WaitingPodReport } from '../schema.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describePod } from '../texts/outcomes.ts';
import type { KnownCluster } from './clusters.ts';
import type { Why } from './schema.ts';
import { latestOf, type Swept } from './sweeps.ts';

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
  readonly harm: Harmed | undefined;
  readonly fate: 'Ended' | 'Gone' | 'Stuck';
  /** When it ended, or when it was last known to be stuck. */
  readonly until: Millis;
}

interface Sighting extends PodRef {
  readonly owner?: PodReport['owner'];
  readonly sidecars: readonly ImageOf[];
  readonly requests: Resources;
  readonly mainsEndedAt: Millis;
  readonly left: Left;
  readonly harm?: Harmed | undefined;
}

/** How the sweep left the pod: stuck, ended by the sweep, or gone because it ended by itself or was deleted. */
type Left =
  | { readonly kind: 'Stuck'; readonly why: Why; readonly sidecar: string | undefined }
  | { readonly kind: 'Ended' | 'Gone'; readonly at: Millis };

interface ImageOf {
  readonly name: string;
  readonly image: string;
}

/** A step that did harm, as far as the report shows which. */
interface Harmed {
  readonly kind: HarmKind;
  readonly does?: string;
  readonly at: string;
}

export function podHistories(swept: readonly Swept[]): readonly PodHistory[] {
  const lastComplete = latestOf(
    swept.filter(({ sawAll }) => sawAll).map(({ series, asOf }) => [series, asOf]),
  );
  const byPod = new Map<string, [Seen, ...Seen[]]>();
  for (const sweep of swept) {
    for (const sighting of sightingsOf(sweep)) {
      const key = `${sweep.cluster.id} ${sighting.uid}`;
      const before = byPod.get(key);
      if (before) before.push({ sweep, sighting });
      else byPod.set(key, [{ sweep, sighting }]);
    }
  }
  return [...byPod.values()].map((seen) => historyOfPod(seen, lastComplete));
}

interface Seen {
  readonly sweep: Swept;
  readonly sighting: Sighting;
}

function historyOfPod(
  seen: readonly [Seen, ...Seen[]],
  lastComplete: ReadonlyMap<string, Millis>,
): PodHistory {
  const [first] = seen;
  const { sweep, sighting: last } = seen.at(-1) ?? first;
  const lastSeenAt = sweep.asOf;
  // A pod is gone if a sweep that saw all pods no longer found it. When it went is unknown, so no more is counted.
  const isMissing = seen.some((one) => (lastComplete.get(one.sweep.series) ?? lastSeenAt) > lastSeenAt);
  const { left, mainsEndedAt } = last;
  const origin = originOf(last);
  return {
    cluster: first.sweep.cluster,
    origin,
    originKey: `${first.sweep.cluster.id} ${last.namespace} ${origin.kind} ${origin.name}`,
    firstSeenAt: first.sweep.asOf,
    lastSeenAt,
    sweeps: seen.length,
    sidecars: first.sighting.sidecars,
    last,
    harm: seen.findLast(({ sighting }) => sighting.harm)?.sighting.harm,
    fate: left.kind === 'Stuck' && isMissing ? 'Gone' : left.kind,
    until: Math.max(left.kind === 'Stuck' ? lastSeenAt : left.at, mainsEndedAt),
  };
}

/** The Job or other owner of the pod; the pod itself if it has none. */
export function instanceOf({ last: { owner, name } }: PodHistory): string {
  return owner?.name ?? name;
}

/** What starts pods again and again, as far as names show it. */
interface Origin {
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

function sightingsOf({ report, asOf }: Swept): readonly Sighting[] {
  return [
    ...report.pods.map((pod): Sighting => {
      const { uid, namespace, name, owner, requests, mainsEndedAt } = pod;
      const all = sidecarsOf(pod);
      // A sidecar that had ended before the sweep did not keep the pod running, unless it was among the last.
      const running = all.filter(({ outcome }) => outcome.kind !== 'AlreadyEnded');
      return {
        ...{ namespace, name, uid, owner, requests },
        sidecars: (running.length > 0 ? running : all).map(({ name, image }) => ({ name, image })),
        mainsEndedAt: Date.parse(mainsEndedAt),
        left: leftBy(pod, asOf, Date.parse(report.run.finishedAt)),
        harm: harmBy(pod, report.run.finishedAt),
      };
    }),
    ...report.neverStarted.map((pod) => sightWaiting(pod, 'NeverStarted', 'never started')),
    ...report.notStartedAgain.map((pod) =>
      sightWaiting(pod, 'NotStartedAgain', 'ended, and does not start again'),
    ),
  ];
}

function sightWaiting(pod: WaitingPodReport, outcome: string, words: string): Sighting {
  const { namespace, name, uid, owner, requests, waiting, mainsEndedAt } = pod;
  const reason = [...new Set(waiting.map((one) => one.reason))].join(', ');
  const why = { outcome, reason, words: `${words}: ${reason}` };
  return {
    ...{ namespace, name, uid, owner, requests },
    sidecars: waiting.map(({ name, image }) => ({ name, image })),
    mainsEndedAt: Date.parse(mainsEndedAt),
    left: { kind: 'Stuck', why, sidecar: waiting[0]?.name },
  };
}

/** Whether the report shows that the sweep ended the pod: it may have ended by itself or have been deleted. */
export function endedBySweep(pod: PodReport): boolean {
  const attempts = landed(pod);
  if (pod.harm || attempts.some(({ method }) => endsPod(method))) return true;
  // Of a pod that no longer exists, only the Job shows how it ended: it completes if its pods have succeeded.
  if (pod.outcome.kind === 'Gone') return attempts.length > 0 && pod.outcome.job.kind === 'Complete';
  return sidecarsOf(pod).some((one) => one.outcome.kind === 'Stopped' && one.attempts.some(mayHaveWorked));
}

function landed(pod: PodReport) {
  return sidecarsOf(pod).flatMap(({ attempts }) => attempts.filter(mayHaveWorked));
}

/** The last step is taken for the one that did it. */
function harmBy(pod: PodReport, finishedAt: string): Harmed | undefined {
  if (!pod.harm) return undefined;
  const last = [...landed(pod)].sort((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt)).at(-1);
  return { kind: pod.harm.kind, ...(last && { does: last.does }), at: last?.sentAt ?? finishedAt };
}

function leftBy(pod: PodReport, asOf: Millis, finishedAt: Millis): Left {
  switch (pod.outcome.kind) {
    case 'Ended':
    case 'Unsettled': {
      const ends = sidecarsOf(pod).flatMap(({ endedAt }) =>
        endedAt === undefined ? [] : Date.parse(endedAt),
      );
      const at = ends.length > 0 ? Math.max(...ends) : finishedAt;
      return { kind: endedBySweep(pod) ? 'Ended' : 'Gone', at };
    }
    case 'Gone':
    case 'Replaced':
      return endedBySweep(pod) ? { kind: 'Ended', at: finishedAt } : { kind: 'Gone', at: asOf };
    case 'Skipped':
      return pod.outcome.reason.kind === 'NoLongerCandidate' ? { kind: 'Gone', at: asOf } : leftStuck(pod);
    case 'Stuck':
    case 'Blocked':
    case 'NotAttempted':
    case 'Unproven':
      return leftStuck(pod);
  }
}

/** Because of the first sidecar that did not end, or else because of what became of the pod. */
function leftStuck(pod: PodReport): Left {
  const running = sidecarsOf(pod).find(
    ({ outcome }) => outcome.kind !== 'Stopped' && outcome.kind !== 'AlreadyEnded',
  );
  const words = running ? describeContainer(running.outcome) : describePod(pod.outcome);
  const why = { ...wordOf((running ?? pod).outcome), words, advice: running?.advice };
  return { kind: 'Stuck', why, sidecar: running?.name };
}
