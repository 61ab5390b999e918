import { countKinds } from '../../util/groups.ts';
import type { Millis } from '../../util/time.ts';
import type { SweepReport } from '../schema.ts';

type OfCluster = SweepReport['cluster'];

export interface KnownCluster {
  /** Unique among all clusters. */
  readonly id: string;
  /** A unique name for people. */
  readonly name: string;
  readonly uid: string | undefined;
}

/** What tells clusters apart, the most reliable first. */
const marks = ['uid', 'name', 'server', 'context'] as const;

/** Long enough to tell uids apart that people see side by side, as with commits. */
const shortUid = 8;

/** A report without a uid is of the one cluster that has its surest mark, and of another one if several have. */
export function knownClusters(all: readonly OfCluster[]): (one: OfCluster) => KnownCluster {
  const byId = new Map<string, OfCluster>();
  const idsByMark = new Map<string, Set<string>>();
  const idOf = (one: OfCluster) => {
    const own = marksOf(one)[0] ?? '';
    const [id = own, ...others] = idsByMark.get(own) ?? [];
    return others.length === 0 ? id : own;
  };
  for (const surest of marks) {
    const found = all.filter((one) => marksOf(one)[0]?.startsWith(`${surest} `));
    for (const [id, one] of found.map((one) => [idOf(one), one] as const)) {
      byId.set(id, { ...one, ...byId.get(id) });
      for (const mark of marksOf(one)) idsByMark.set(mark, (idsByMark.get(mark) ?? new Set()).add(id));
    }
  }
  const names = namesOf(byId);
  return (one) => {
    const id = idOf(one);
    return { id, name: names.get(id) ?? one.context, uid: byId.get(id)?.uid };
  };
}

function marksOf(one: OfCluster): readonly string[] {
  return marks.flatMap((mark) => (one[mark] ? [`${mark} ${one[mark]}`] : []));
}

/** Each cluster's name in the policy, or its context; where others have the same, with the start of its uid or its server. */
function namesOf(all: ReadonlyMap<string, OfCluster>): ReadonlyMap<string, string> {
  const nameOf = ({ name, context }: OfCluster) => name ?? context;
  const times = countKinds([...all.values()].map(nameOf));
  return new Map(
    [...all].map(([id, one]) => {
      const mark = one.uid?.slice(0, shortUid) ?? (one.server || 'no server');
      return [id, times[nameOf(one)] === 1 ? nameOf(one) : `${nameOf(one)} (${mark})`];
    }),
  );
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
