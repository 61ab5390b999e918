import type { Millis } from '../../util/time.ts';
import type { SweepReport } from '../schema.ts';

/** One report of a sweep, without its pods. */
export interface Swept {
  readonly cluster: KnownCluster;
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  /** When the pods were judged. */
  readonly asOf: Millis;
  /** Sweeps of the same pods: those of one CronJob, of one shard. */
  readonly series: string;
  readonly shard: SweepReport['scope']['shard'];
  /** Whether it judged every pod of its scope, so that a pod that it does not list is no longer stuck. */
  readonly sawAll: boolean;
  readonly stoppedEarly: boolean;
  readonly unread: boolean;
  readonly braked: boolean;
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
  const { run, scope, unread, warnings } = report;
  const isWarned = (kind: string) => warnings.some((warning) => warning.kind === kind);
  const startedAt = Date.parse(run.startedAt);
  const { namespaces, labelSelector, includePending, minAgeMs, shard } = scope;
  const stoppedEarly = run.stoppedEarly !== undefined;
  const isIncomplete =
    run.asOf === undefined || unread.length > 0 || stoppedEarly || isWarned('ListInconsistent');
  return {
    cluster,
    startedAt,
    // The clock may have been set back during the sweep.
    finishedAt: Math.max(Date.parse(run.finishedAt), startedAt),
    asOf: judgedAt(report),
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
    sawAll: !isIncomplete && scope.pods === undefined && hasAllRecords(report),
    stoppedEarly,
    unread: unread.length > 0,
    braked: isWarned('Braked'),
  };
}

/** When each sweep started. Each shard is a run of its own; a shard that is seen again begins the next sweep. */
export function startsOf(swept: readonly Swept[]): readonly Millis[] {
  const starts: Millis[] = [];
  const seen = new Map<string, Set<number>>();
  for (const { cluster, startedAt, shard } of swept) {
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

/** When each series last saw all of its pods. */
export function lastComplete(swept: readonly Swept[]): ReadonlyMap<string, Millis> {
  return latest(swept.filter(({ sawAll }) => sawAll).map(({ series, asOf }) => [series, asOf]));
}

/** When the last sweep of each cluster ended. */
export function lastSweeps(swept: readonly Swept[]): ReadonlyMap<string, Millis> {
  return latest(swept.map(({ cluster, finishedAt }) => [cluster.id, finishedAt]));
}

export interface Period {
  readonly from: Millis;
  readonly to: Millis;
}

/** From the start of the first sweep to the end of the last; undefined if there are none. */
export function periodOf(swept: readonly Swept[]): Period | undefined {
  return swept.reduce<Period | undefined>(
    (period, { startedAt, finishedAt }) => ({
      from: Math.min(startedAt, period?.from ?? startedAt),
      to: Math.max(finishedAt, period?.to ?? finishedAt),
    }),
    undefined,
  );
}

function latest(times: readonly (readonly [key: string, time: Millis])[]): ReadonlyMap<string, Millis> {
  const found = new Map<string, Millis>();
  for (const [key, time] of times) found.set(key, Math.max(time, found.get(key) ?? time));
  return found;
}

function judgedAt({ run }: SweepReport): Millis {
  return Date.parse(run.asOf ?? run.startedAt);
}

/** Whether the report lists all the stuck pods that it counts. Records may have been lost. */
function hasAllRecords({ totals, pods, neverStarted, notStartedAgain }: SweepReport): boolean {
  return (
    pods.length >= totals.candidates &&
    neverStarted.length >= totals.neverStarted &&
    notStartedAgain.length >= totals.notStartedAgain
  );
}

type OfCluster = SweepReport['cluster'];

/** A cluster, as reports know it. */
export interface KnownCluster extends Pick<OfCluster, 'context' | 'server' | 'uid'> {
  /** Tells it from all others. */
  readonly id: string;
  /** The same for people. */
  readonly name: string;
}

/** What tells clusters apart, the surest first. */
const marks = ['uid', 'name', 'server', 'context'] as const;

/**
 * Clusters by their uids. A report without one is of the cluster that has its name or, without a name, its server; if several
 * have, it counts as a cluster of its own. A report that no server has answered goes by its context.
 */
export class Clusters {
  /** The cluster of each id, as its first report has it. */
  readonly #all = new Map<string, OfCluster>();
  /** Who has a mark. */
  readonly #ids = new Map<string, Set<string>>();
  readonly #names: ReadonlyMap<string, string>;

  constructor(all: readonly OfCluster[]) {
    for (const mark of marks) {
      const found = all.filter((one) => surest(one) === mark);
      for (const [id, one] of found.map((one) => [this.#idOf(one), one] as const)) this.#add(id, one);
    }
    this.#names = namesOf(this.#all);
  }

  of(one: OfCluster): KnownCluster {
    const id = this.#idOf(one);
    const { context, server, uid } = this.#all.get(id) ?? one;
    const name = this.#names.get(id) ?? context;
    return { id, name, context, server, ...(uid !== undefined && { uid }) };
  }

  #idOf(one: OfCluster): string {
    const own = markOf(one, surest(one));
    const [id = own, ...others] = this.#ids.get(own) ?? [];
    return others.length === 0 ? id : own;
  }

  #add(id: string, one: OfCluster): void {
    this.#all.set(id, { ...one, ...this.#all.get(id) });
    for (const mark of marks) {
      if (!one[mark]) continue;
      const key = markOf(one, mark);
      this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
    }
  }
}

function surest(one: OfCluster): (typeof marks)[number] {
  return marks.find((mark) => one[mark]) ?? 'context';
}

function markOf(one: OfCluster, mark: (typeof marks)[number]): string {
  return `${mark} ${one[mark]}`;
}

/** Of each, the first word for it that is for no other. */
function namesOf(all: ReadonlyMap<string, OfCluster>): ReadonlyMap<string, string> {
  const words = new Map([...all].map(([id, one]) => [id, wordsFor(one)]));
  const times = new Map<string, number>();
  for (const word of [...words.values()].flatMap((own) => [...own])) {
    times.set(word, (times.get(word) ?? 0) + 1);
  }
  return new Map(
    [...all].map(([id, { context, server }]) => {
      const own = [...(words.get(id) ?? [])].find((word) => times.get(word) === 1);
      return [id, own ?? (server || context)];
    }),
  );
}

/** Long enough to tell uids apart that people see side by side, as with commits. */
const ofUid = 8;

function wordsFor({ name = '', context, server, uid = '' }: OfCluster): ReadonlySet<string> {
  return new Set([name, context, server, uid.slice(0, ofUid), uid].filter((word) => word !== ''));
}
