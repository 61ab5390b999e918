import { distinct } from '../../util/groups.ts';
import { UsageError } from '../../util/usage-error.ts';
import { many } from '../format.ts';
import { scopeKey } from '../history/sweeps.ts';
import { byName } from '../names.ts';
import type { SweepReport } from '../schema.ts';

/** Missing shards and records count as unread: each may have been about a stuck pod. Reports of more than one sweep are a UsageError. */
export function mergeReports(reports: readonly SweepReport[], lost = 0): SweepReport {
  const [first] = reports;
  // A log of one sweep, which was not split.
  if (first && reports.length === 1 && !first.scope.shard)
    return { ...first, unread: [...first.unread, ...lostRecords(lost)] };
  const problem = whyApart(reports);
  if (!first || problem !== undefined) throw new UsageError(`cannot merge: ${problem}`);
  const all = <Item>(list: (report: SweepReport) => readonly Item[] | undefined) =>
    reports.flatMap((report) => list(report) ?? []);
  // RFC 3339 times in UTC sort as text.
  const timesOf = (name: 'startedAt' | 'finishedAt') => reports.map(({ run }) => run[name]).sort();
  const [startedAt = ''] = timesOf('startedAt');
  const finishedAt = timesOf('finishedAt').at(-1) ?? '';
  const stops = reports.flatMap(({ run }) => run.stoppedEarly ?? []);
  const [asOf] = reports.flatMap((report) => report.asOf ?? []).sort();
  return {
    ...first,
    asOf,
    run: {
      ...first.run,
      id: reports.map(({ run }) => run.id).join(','),
      startedAt,
      finishedAt,
      durationMs: Date.parse(finishedAt) - Date.parse(startedAt),
      stoppedEarly: stops.find((reason) => reason === 'InternalError') ?? stops[0],
    },
    cluster: reports.find(({ cluster }) => cluster.uid !== undefined)?.cluster ?? first.cluster,
    scope: wholeOf(first.scope),
    unread: [...distinct(all(({ unread }) => unread)), ...missingShards(reports), ...lostRecords(lost)],
    totals: mergeTotals(reports.map(({ totals }) => totals)),
    undecided: all(({ undecided }) => undecided),
    excluded: first.excluded && all(({ excluded }) => excluded),
    neverStarted: all(({ neverStarted }) => neverStarted),
    notStartedAgain: all(({ notStartedAgain }) => notStartedAgain),
    hanging: all(({ hanging }) => hanging),
    pods: all(({ pods }) => pods).sort(byName),
    warnings: distinct(all(({ warnings }) => warnings)),
  };
}

function whyApart(reports: readonly SweepReport[]): string | undefined {
  const [first] = reports;
  if (!first) return 'there are no reports to merge';
  const seen = new Set<number>();
  const known = reports.flatMap(({ cluster: { uid } }) => uid ?? [])[0];
  for (const { cluster, scope, run } of reports) {
    const { shard } = scope;
    if (!shard) return `the report of run ${run.id} covers a whole sweep, not a shard`;
    const { uid = known, server } = cluster;
    const name = `shard ${shard.index}/${shard.of}`;
    if (seen.has(shard.index)) return `there are two reports of ${name}`;
    seen.add(shard.index);
    const differs = Object.entries({
      'number of shards': shard.of !== first.scope.shard?.of,
      cluster: server !== first.cluster.server || uid !== known,
      scope: scopeKey(wholeOf(scope)) !== scopeKey(wholeOf(first.scope)),
      '--dry-run': run.dryRun !== first.run.dryRun,
    }).find(([, isOther]) => isOther);
    if (differs) return `${name} has another ${differs[0]} than the first report`;
  }
  return undefined;
}

function wholeOf({ shard: _shard, ...scope }: SweepReport['scope']): SweepReport['scope'] {
  return scope;
}

function missingShards(reports: readonly SweepReport[]): SweepReport['unread'] {
  const of = reports[0]?.scope.shard?.of ?? 0;
  const present = reports.map(({ scope }) => scope.shard?.index);
  return Array.from({ length: of }, (_, index) => index)
    .filter((index) => !present.includes(index))
    .map((index) => ({ problem: 'ShardMissing', message: `the report of shard ${index}/${of} is missing` }));
}

function lostRecords(lost: number): SweepReport['unread'] {
  if (lost === 0) return [];
  const message = `the log lacks ${many(lost, 'record')} of the sweep: take all of it`;
  return [{ problem: 'RecordsMissing', message }];
}

/** Every shard lists all pods, but here counts only its own. */
export function mergeTotals(totals: readonly SweepReport['totals'][]): SweepReport['totals'] {
  const sum = totals.reduce((one, other) => added(one, other) as SweepReport['totals']);
  return { ...sum, listed: sum.listed - sum.otherShards, otherShards: 0 };
}

function added(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object') return Number(one ?? 0) + Number(other ?? 0);
  const all: Readonly<Record<string, unknown>>[] = [{ ...one }, { ...other }];
  const keys = [...new Set(all.flatMap(Object.keys))].sort();
  return Object.fromEntries(keys.map((key) => [key, all.map((each) => each[key]).reduce(added)]));
}
