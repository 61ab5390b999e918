import { mayHaveWorked } from '../../methods/attempt.ts';
import { endsPod } from '../../methods/index.ts';
import type { PodName, Resources } from '../../model/pod.ts';
import { groupsOf } from '../../util/groups.ts';
import type { Millis } from '../../util/time.ts';
import { wordOf } from '../records/fields.ts';
import type { WaitingPodReport } from '../scan-schema.ts';
import type { AttemptReport, PodReport } from '../schema.ts';
import { type SidecarReport, sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describePod } from '../texts/outcomes.ts';
import type { History, Why } from './schema.ts';
import { type KnownCluster, latestOf, type Swept } from './sweeps.ts';

/** A pod that was stuck, over all sweeps that found it. */
export type PodHistory = Readonly<ReturnType<typeof historyOfPod>>;

/** A stuck pod in the report of one sweep. */
interface Sighting {
  readonly sweep: Swept;
  readonly pod: PodReport | WaitingPodReport;
  readonly sidecars: readonly ImageOf[];
  readonly left: Left;
  readonly harm?: HarmKnown | undefined;
  readonly last?: AttemptReport | undefined;
}

/** Stuck, ended by the sweep, or gone because it ended by itself or was deleted. */
type Left =
  | { readonly kind: 'Stuck'; readonly why: Why; readonly sidecar: string | undefined }
  | { readonly kind: 'Ended' | 'Gone'; readonly at: Millis };

type ImageOf = Pick<SidecarReport, 'name' | 'image'>;
type Harmed = Pick<History['harm'][number], 'kind' | 'expected' | 'does' | 'at'>;
type HarmKnown = Pick<Harmed, 'kind' | 'expected'>;

export function podHistories(swept: readonly Swept[]): readonly PodHistory[] {
  const complete = swept.filter(({ sawAll }) => sawAll);
  const lastComplete = latestOf(complete.map(({ series, asOf }) => [series, asOf]));
  const sightings = swept.flatMap((sweep) => [
    ...sweep.report.pods.map((pod) => sightStuck(pod, sweep)),
    ...sweep.report.neverStarted.map((pod) => sightWaiting(pod, sweep, 'NeverStarted', 'never started')),
    ...sweep.report.notStartedAgain.map((pod) =>
      sightWaiting(pod, sweep, 'NotStartedAgain', 'ended, and does not start again'),
    ),
  ]);
  const told = new Map(swept.flatMap(harmToldBy));
  return groupsOf(sightings, ({ sweep, pod }) => `${sweep.cluster.id} ${pod.uid}`).map((seen) =>
    historyOfPod(seen, lastComplete, told),
  );
}

/** The harm of pods whose sidecars ended after their sweep was stopped: only a warning of the next sweep tells it. */
function harmToldBy({ cluster, report }: Swept): readonly (readonly [pod: string, harm: HarmKnown])[] {
  return report.warnings.flatMap((one) => {
    if (one.kind !== 'JobHarmed' || !one.earlier) return [];
    const { harm: kind, expected } = one;
    return [[keyOf(cluster, one), { kind, expected }] as const];
  });
}

function keyOf({ id }: KnownCluster, { namespace, name }: PodName): string {
  return `${id} ${namespace}/${name}`;
}

function historyOfPod(
  seen: readonly [Sighting, ...Sighting[]],
  lastComplete: ReadonlyMap<string, Millis>,
  told: ReadonlyMap<string, HarmKnown>,
) {
  const [first] = seen;
  const { left, sweep, pod } = seen.at(-1) ?? first;
  const { namespace, name, owner, requests } = pod;
  const mainsEndedAt = Date.parse(pod.mainsEndedAt);
  const { cluster, asOf: firstSeenAt } = first.sweep;
  const lastSeenAt = sweep.asOf;
  // A pod is gone if a sweep that saw all pods no longer found it. When it went is unknown, so no more is counted.
  const isMissing = seen.some((one) => (lastComplete.get(one.sweep.series) ?? lastSeenAt) > lastSeenAt);
  const isStuck = left.kind === 'Stuck';
  const harm = harmTo(seen, told.get(keyOf(cluster, pod)));
  const blamed = isStuck ? left.sidecar : undefined;
  const fate: History['groups'][number]['fate'] =
    isStuck && isMissing ? (harm ? 'Ended' : 'Gone') : left.kind;
  const origin = originOf({ owner, name, mainsEndedAt });
  return {
    ...{ namespace, name, owner, requests, mainsEndedAt, cluster },
    /** The owner that starts such pods again and again, and its key among those of all clusters. */
    origin,
    originKey: `${cluster.id} ${namespace} ${origin.kind} ${origin.name}`,
    /** The Job or other owner; without one, the pod itself. */
    instance: owner?.name ?? name,
    firstSeenAt,
    lastSeenAt,
    sweeps: seen.length,
    /** As first seen: an image swap changes the image later. */
    sidecars: first.sidecars,
    /** The sidecar that kept the pod running. */
    sidecar: first.sidecars.find((one) => one.name === blamed) ??
      first.sidecars[0] ?? { name: blamed ?? '', image: '' },
    harm,
    fate,
    /** Only for a pod that is still stuck. */
    why: isStuck && !isMissing ? left.why : undefined,
    /** When it ended, or when it was last known to be stuck. */
    until: Math.max(isStuck ? lastSeenAt : left.at, mainsEndedAt),
  };
}

/** Requests over a time: cores and bytes, multiplied by milliseconds. */
export function spend({ cpu, memory }: Resources, time: Millis): Resources {
  return { cpu: cpu * time, memory: memory * time };
}

type Owner = NonNullable<PodReport['owner']>;

const minute: Millis = 60_000;
const day = 24 * 60 * minute;

/**
 * The part of a name that differs each time: five characters of Kubernetes' generateName, which has no vowels
 * (`alphanums` in k8s.io/apimachinery/pkg/util/rand), eight of Airflow (`add_unique_suffix`), or a date.
 */
const generated = /^(?:[bcdfghjklmnpqrstvwxz2456789]{5}|(?=[a-z]*\d)[a-z0-9]{8}|\d{8,})$/;

/** The owner of a pod, with `*` for the part of its name that differs each time. */
export function originOf(pod: Pick<PodReport, 'owner' | 'name'> & { readonly mainsEndedAt: Millis }): Owner {
  const { kind, name: own } = pod.owner ?? { kind: 'Pod', name: pod.name };
  const dash = own.lastIndexOf('-');
  const [stem, end] = [own.slice(0, dash), own.slice(dash + 1)];
  if (dash < 1 || !generated.test(end)) return { kind, name: own };
  // A CronJob names a Job after itself and the minute in which it was due (`getJobName` in pkg/controller/cronjob).
  // A date is no such minute: 20261122 would be in the year 2008.
  const due = Number(end) * minute;
  const isDue = due <= pod.mainsEndedAt + day && due > pod.mainsEndedAt - 366 * day;
  return kind === 'Job' && isDue ? { kind: 'CronJob', name: stem } : { kind, name: `${stem}-*` };
}

function sightStuck(pod: PodReport, sweep: Swept): Sighting {
  const all = sidecarsOf(pod);
  // A sidecar that had ended before the sweep did not keep the pod running, unless it was among the last.
  const running = all.filter(({ outcome }) => outcome.kind !== 'AlreadyEnded');
  const sidecars = (running.length > 0 ? running : all).map(({ name, image }) => ({ name, image }));
  const last = landed(pod)
    .sort((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt))
    .at(-1);
  return { sweep, pod, sidecars, left: leftBy(pod, sweep), harm: pod.harm, last };
}

function sightWaiting(pod: WaitingPodReport, sweep: Swept, outcome: string, what: string): Sighting {
  const { waiting } = pod;
  const reason = [...new Set(waiting.map((one) => one.reason))].join(', ');
  const why = { outcome, reason, words: `${what}: ${reason}` };
  const sidecars = waiting.map(({ name, image }) => ({ name, image }));
  return { sweep, pod, sidecars, left: { kind: 'Stuck', why, sidecar: waiting[0]?.name } };
}

/** Whether the report shows that the sweep ended the pod: it may have ended by itself or have been deleted. */
export function endedBySweep(pod: PodReport): boolean {
  const attempts = landed(pod);
  if (pod.harm || attempts.some(({ method }) => endsPod(method))) return true;
  // Of a pod whose end was not seen, only the Job shows how it ended: it completes if its pods have succeeded.
  if (pod.outcome.kind === 'Gone' && pod.outcome.job.kind === 'Complete') return attempts.length > 0;
  return sidecarsOf(pod).some((one) => one.outcome.kind === 'Stopped' && one.attempts.some(mayHaveWorked));
}

function landed(pod: PodReport) {
  return sidecarsOf(pod).flatMap(({ attempts }) => attempts.filter(mayHaveWorked));
}

/** The last step counts as the cause. */
function harmTo(
  seen: readonly [Sighting, ...Sighting[]],
  toldLater: HarmKnown | undefined,
): Harmed | undefined {
  const direct = seen.findLast(({ harm }) => harm);
  const harm = direct?.harm ?? toldLater;
  if (!harm) return undefined;
  const { last, sweep } = direct ?? seen.findLast((one) => one.last) ?? seen[0];
  return {
    kind: harm.kind,
    expected: harm.expected,
    ...(last && { does: last.does }),
    at: last?.sentAt ?? sweep.report.run.finishedAt,
  };
}

function leftBy(pod: PodReport, { asOf, report }: Swept): Left {
  const finishedAt = Date.parse(report.run.finishedAt);
  switch (pod.outcome.kind) {
    case 'Ended':
    case 'Unsettled': {
      const ends = sidecarsOf(pod).flatMap(({ endedAt }) => (endedAt ? Date.parse(endedAt) : []));
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
