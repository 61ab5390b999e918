import type { HarmKind } from '../../model/job.ts';
import type { PodName } from '../../model/pod.ts';
import type { Millis } from '../../util/time.ts';
import type { KnownCluster } from '../clusters.ts';
import type { ImageOf, Sighting } from './sighting.ts';

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
