import type { Millis } from '../duration.ts';
import type { KnownCluster } from '../report/clusters.ts';
import type { SweepReport } from '../report/schema.ts';
import { timeOf } from './distinct.ts';

/** What is remembered of each report of a sweep: of its pods nothing. */
export interface Swept {
  readonly cluster: KnownCluster;
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  /** When the pods were judged. */
  readonly asOf: Millis;
  /** Sweeps that look at the same pods: those of one CronJob, of one shard. */
  readonly series: string;
  readonly shard: SweepReport['scope']['shard'];
  /** Whether every pod of its scope was looked at, so that one that is not in the report is no longer stuck. */
  readonly sawAll: boolean;
  readonly stoppedEarly: boolean;
  readonly unread: boolean;
  readonly braked: boolean;
}

export function sweptBy(report: SweepReport, cluster: KnownCluster): Swept {
  const { run, scope, unread, warnings } = report;
  const isWarned = (kind: string) => warnings.some((warning) => warning.kind === kind);
  const startedAt = Date.parse(run.startedAt);
  const { namespaces, labelSelector, includePending, minAgeMs, shard } = scope;
  const stoppedEarly = run.stoppedEarly !== undefined;
  return {
    cluster,
    startedAt,
    // A clock may have been set meanwhile.
    finishedAt: Math.max(Date.parse(run.finishedAt), startedAt),
    asOf: timeOf(report),
    series: JSON.stringify([
      cluster.id,
      [...namespaces].sort(),
      labelSelector,
      includePending,
      minAgeMs,
      shard?.index,
      shard?.of,
    ]),
    shard,
    sawAll:
      run.asOf !== undefined &&
      unread.length === 0 &&
      !stoppedEarly &&
      !isWarned('ListInconsistent') &&
      isWhole(report),
    stoppedEarly,
    unread: unread.length > 0,
    braked: isWarned('Braked'),
  };
}

/** Whether it has all the stuck pods that it counts: records may be lost. */
function isWhole({ totals, pods, neverStarted, notStartedAgain }: SweepReport): boolean {
  return (
    pods.length >= totals.candidates &&
    neverStarted.length >= totals.neverStarted &&
    notStartedAgain.length >= totals.notStartedAgain
  );
}

/** When each sweep started. Each shard has a run of its own; when one comes again, the next sweep has begun. */
export function startsOf(swept: readonly Swept[]): readonly Millis[] {
  const starts: Millis[] = [];
  const begun = new Map<string, Set<number>>();
  for (const { cluster, startedAt, shard } of swept) {
    const group = JSON.stringify([cluster.id, shard?.of]);
    const shards = begun.get(group) ?? new Set();
    if (shard && shards.size > 0 && !shards.has(shard.index)) {
      shards.add(shard.index);
      continue;
    }
    starts.push(startedAt);
    begun.set(group, new Set(shard ? [shard.index] : []));
  }
  return starts;
}

/** When each series last looked at all of its pods. */
export function lastLooks(swept: readonly Swept[]): ReadonlyMap<string, Millis> {
  const looks = new Map<string, Millis>();
  for (const { series, asOf, sawAll } of swept) {
    if (sawAll) looks.set(series, Math.max(asOf, looks.get(series) ?? asOf));
  }
  return looks;
}

/** When the last sweep of each cluster ended. */
export function lastSweeps(swept: readonly Swept[]): ReadonlyMap<string, Millis> {
  const ends = new Map<string, Millis>();
  for (const { cluster, finishedAt } of swept) {
    ends.set(cluster.id, Math.max(finishedAt, ends.get(cluster.id) ?? finishedAt));
  }
  return ends;
}

export interface Period {
  readonly from: Millis;
  readonly to: Millis;
}

/** From the start of the first to the end of the last; undefined without any. */
export function periodOf(swept: readonly Swept[]): Period | undefined {
  return swept.reduce<Period | undefined>(
    (period, { startedAt, finishedAt }) => ({
      from: Math.min(startedAt, period?.from ?? startedAt),
      to: Math.max(finishedAt, period?.to ?? finishedAt),
    }),
    undefined,
  );
}
