import type { Millis } from '../../util/time.ts';
import { iso } from '../format.ts';
import type { SweepReport } from '../schema.ts';
import type { KnownCluster } from './clusters.ts';

export interface Swept {
  readonly report: SweepReport;
  readonly cluster: KnownCluster;
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  readonly asOf: Millis;
  /** Sweeps of the same pods: those of one CronJob, of one shard. */
  readonly series: string;
  /** Whether it judged every pod of its scope, so that a pod that it does not list is no longer stuck. */
  readonly sawAll: boolean;
}

/**
 * Each report once, from the earliest to the latest. A run may be in several files, and `report merge` makes
 * one report of those of shards, which then replaces them.
 */
export function distinct(reports: readonly SweepReport[]): readonly SweepReport[] {
  const keyOf = ({ server }: SweepReport['cluster'], id: string) => `${server} ${id}`;
  const merged = new Set(
    reports.flatMap(({ run, cluster }) =>
      run.id.includes(',') ? run.id.split(',').map((id) => keyOf(cluster, id)) : [],
    ),
  );
  const byKey = new Map<string, SweepReport>();
  for (const report of reports) {
    const { run, cluster, scope } = report;
    if (merged.has(keyOf(cluster, run.id))) continue;
    const key = `${keyOf(cluster, run.id)} ${scope.shard?.index}`;
    const before = byKey.get(key);
    // If records are missing in one copy, the longer one is complete.
    if (!before || report.pods.length > before.pods.length) byKey.set(key, report);
  }
  return [...byKey]
    .sort(([a, one], [b, other]) => judgedAt(one) - judgedAt(other) || (a < b ? -1 : 1))
    .map(([, report]) => report);
}

export function sweptBy(report: SweepReport, cluster: KnownCluster): Swept {
  const { run, unread, warnings, totals, pods, neverStarted, notStartedAgain } = report;
  const { namespaces, excludeNamespaces = [], pods: named, ...others } = report.scope;
  const startedAt = Date.parse(run.startedAt);
  const isIncomplete =
    run.asOf === undefined ||
    unread.length > 0 ||
    run.stoppedEarly !== undefined ||
    named !== undefined ||
    warnings.some(({ kind }) => kind === 'ListInconsistent');
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
    series: JSON.stringify([
      cluster.id,
      [...namespaces].sort(),
      [...excludeNamespaces].sort(),
      Object.entries(others).sort(),
    ]),
    sawAll: !isIncomplete && hasAllRecords,
  };
}

/** When each sweep started. Each shard is a run of its own; a shard that is seen again begins the next sweep. */
export function startsOf(swept: readonly Swept[]): readonly Millis[] {
  const starts: Millis[] = [];
  const seen = new Map<string, Set<number>>();
  for (const { cluster, startedAt, report } of swept) {
    const { shard } = report.scope;
    const group = JSON.stringify([cluster.id, shard?.of]);
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

export interface Period {
  readonly from: Millis;
  readonly to: Millis;
}

export function periodOf(swept: readonly [Swept, ...Swept[]]): Period {
  const earliest = (least: Millis, { startedAt }: Swept) => Math.min(least, startedAt);
  const latest = (most: Millis, { finishedAt }: Swept) => Math.max(most, finishedAt);
  return { from: swept.reduce(earliest, Infinity), to: swept.reduce(latest, -Infinity) };
}

export function reportPeriod({ from, to }: Period) {
  return { from: iso(from), to: iso(to) };
}

export function latestOf(
  times: readonly (readonly [key: string, time: Millis])[],
): ReadonlyMap<string, Millis> {
  const found = new Map<string, Millis>();
  for (const [key, time] of times) found.set(key, Math.max(time, found.get(key) ?? time));
  return found;
}

function judgedAt({ run }: SweepReport): Millis {
  return Date.parse(run.asOf ?? run.startedAt);
}
