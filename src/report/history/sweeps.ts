import { countKinds } from '../../util/groups.ts';
import type { Millis } from '../../util/time.ts';
import type { SweepReport } from '../schema.ts';

type OfCluster = SweepReport['cluster'];

export interface KnownCluster {
  readonly id: string;
  readonly name: string;
  readonly uid: string | undefined;
}

/** Long enough to tell uids apart that people see side by side, as with commits. */
const shortUid = 8;

/** Each cluster by its name in the policy, or its context; where others have the same, with the start of its uid, or its server. */
export function knownClusters(all: readonly OfCluster[]): (one: OfCluster) => KnownCluster {
  const known = new Map(all.map((one) => [idOf(one), one]));
  const nameOf = ({ name, context }: OfCluster) => name ?? context;
  const times = countKinds([...known.values()].map(nameOf));
  return (one) => {
    const id = idOf(one);
    const last = known.get(id) ?? one;
    const name = nameOf(last);
    const mark = last.uid?.slice(0, shortUid) ?? (last.server || 'no server');
    return { id, name: times[name] === 1 ? name : `${name} (${mark})`, uid: last.uid };
  };
}

/** Pods of many clusters reach their API server at the same address, so that it counts last. */
function idOf({ uid, name, server, context }: OfCluster): string {
  return uid ?? name ?? `${server} ${context}`;
}

/** Each sweep or shard, from the earliest to the latest; the reader has dropped copies of a run. */
export function sweptIn(reports: readonly SweepReport[]): readonly Swept[] {
  const all = inOrder(reports);
  const clusterOf = knownClusters(all.map(({ cluster }) => cluster));
  return all.map((report) => sweptBy(report, clusterOf(report.cluster)));
}

/** A merged report replaces those of its shards, whose ids it has. */
function inOrder(reports: readonly SweepReport[]): readonly SweepReport[] {
  const merged = new Set(reports.flatMap(({ run: { id } }) => (id.includes(',') ? id.split(',') : [])));
  return reports
    .filter(({ run }) => !merged.has(run.id))
    .toSorted((a, b) => judgedAt(a) - judgedAt(b) || (a.run.id < b.run.id ? -1 : 1));
}

export type Swept = Readonly<ReturnType<typeof sweptBy>>;

function sweptBy(report: SweepReport, cluster: KnownCluster) {
  const { run, scope, unread, warnings, totals, pods, neverStarted, notStartedAgain } = report;
  const startedAt = Date.parse(run.startedAt);
  // Records may have been lost.
  const hasAllRecords =
    pods.length >= totals.candidates &&
    neverStarted.length >= totals.neverStarted &&
    notStartedAgain.length >= totals.notStartedAgain;
  return {
    report,
    cluster,
    startedAt,
    // The clock may have been set back during the sweep.
    finishedAt: Math.max(Date.parse(run.finishedAt), startedAt),
    asOf: judgedAt(report),
    /** The same for sweeps of the same pods: those of one CronJob, of one shard. */
    series: `${cluster.id} ${scopeKey(scope)}`,
    /** Whether it judged every pod of its scope, so that a pod that it does not list is no longer stuck. */
    sawAll:
      hasAllRecords &&
      report.asOf !== undefined &&
      unread.length === 0 &&
      run.stoppedEarly === undefined &&
      scope.pods === undefined &&
      !warnings.some(({ kind }) => kind === 'ListInconsistent'),
  };
}

/** The same for scopes that name the same namespaces in another order, whatever pods of them were named. */
export function scopeKey(scope: SweepReport['scope']): string {
  const { namespaces, excludeNamespaces = [], pods: _named, ...others } = scope;
  const lists = [namespaces, excludeNamespaces].map((list) => [...list].sort());
  return JSON.stringify([...lists, Object.entries(others).sort()]);
}

/** When each sweep started. Each shard is a run of its own; a shard that is seen again begins the next sweep. */
export function startsOf(swept: readonly Swept[]): readonly Millis[] {
  const starts: Millis[] = [];
  const seen = new Map<string, Set<number>>();
  for (const { cluster, startedAt, report } of swept) {
    const { shard, ...scope } = report.scope;
    const group = `${cluster.id} ${shard?.of} ${scopeKey(scope)}`;
    const shards = seen.get(group) ?? new Set();
    if (shard && shards.size > 0 && !shards.has(shard.index)) {
      shards.add(shard.index);
      continue;
    }
    starts.push(startedAt);
    seen.set(group, new Set(shard ? [shard.index] : []));
  }
  return starts;
}

export type Period = ReturnType<typeof periodOf>;

export function periodOf(swept: readonly Swept[]) {
  const earliest = (least: Millis, { startedAt }: Swept) => Math.min(least, startedAt);
  const latest = (most: Millis, { finishedAt }: Swept) => Math.max(most, finishedAt);
  return { from: swept.reduce(earliest, Infinity), to: swept.reduce(latest, -Infinity) };
}

export function latestOf(times: Iterable<readonly [key: string, time: Millis]>): ReadonlyMap<string, Millis> {
  const found = new Map<string, Millis>();
  for (const [key, time] of times) found.set(key, Math.max(time, found.get(key) ?? time));
  return found;
}

function judgedAt({ run, asOf }: SweepReport): Millis {
  return Date.parse(asOf ?? run.startedAt);
}
