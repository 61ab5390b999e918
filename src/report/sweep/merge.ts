import { many } from '../format.ts';
import { byName } from '../names.ts';
import type { SweepReport } from '../schema.ts';

export type Merged =
  | { readonly kind: 'Merged'; readonly report: SweepReport }
  /** The reports do not belong to one sweep; `problem` says why. */
  | { readonly kind: 'Apart'; readonly problem: string };

/**
 * Merges the reports of a sweep's shards, or returns that of a whole sweep. A missing shard counts as unread, and so do the records
 * that were not found in the logs: each may have been a stuck pod.
 */
export function mergeReports(reports: readonly SweepReport[], lost = 0): Merged {
  const [first] = reports;
  if (!first) return apart('there are no reports to merge');
  // A log of one sweep, which was not split.
  if (reports.length === 1 && !first.scope.shard) {
    return { kind: 'Merged', report: { ...first, unread: [...first.unread, ...lostRecords(lost)] } };
  }
  const problem = whyApart(first, reports);
  if (problem !== undefined) return apart(problem);
  const { run, cluster, scope } = first;
  // RFC 3339 times in UTC sort as text.
  const times = reports.flatMap((report) => [report.run.startedAt, report.run.finishedAt]).sort();
  const [startedAt = '', finishedAt = ''] = [times.at(0), times.at(-1)];
  const stoppedEarly = reports.find((report) => report.run.stoppedEarly)?.run.stoppedEarly;
  const [asOf] = reports.flatMap((report) => report.run.asOf ?? []).sort();
  const merged: SweepReport = {
    apiVersion: first.apiVersion,
    kind: first.kind,
    run: {
      id: reports.map((report) => report.run.id).join(','),
      version: run.version,
      startedAt,
      finishedAt,
      durationMs: Date.parse(finishedAt) - Date.parse(startedAt),
      asOf,
      dryRun: run.dryRun,
      stoppedEarly,
    },
    cluster: reports.find((report) => report.cluster.uid !== undefined)?.cluster ?? cluster,
    scope: wholeOf(scope),
    unread: [
      ...distinct(reports.flatMap(({ unread }) => unread)),
      ...missingShards(reports),
      ...lostRecords(lost),
    ],
    totals: mergeTotals(reports.map(({ totals }) => totals)),
    undecided: reports.flatMap(({ undecided }) => undecided),
    excluded: first.excluded && reports.flatMap(({ excluded }) => excluded ?? []),
    neverStarted: reports.flatMap(({ neverStarted }) => neverStarted),
    notStartedAgain: reports.flatMap(({ notStartedAgain }) => notStartedAgain),
    hanging: reports.flatMap(({ hanging }) => hanging),
    pods: reports.flatMap(({ pods }) => pods).sort(byName),
    warnings: distinct(reports.flatMap(({ warnings }) => warnings)),
  };
  return { kind: 'Merged', report: merged };
}

function whyApart(first: SweepReport, reports: readonly SweepReport[]): string | undefined {
  const seen = new Set<number>();
  const known = reports.flatMap(({ cluster: { uid } }) => uid ?? [])[0];
  for (const { cluster, scope, run } of reports) {
    const { shard } = scope;
    if (!shard) return `the report of run ${run.id} covers a whole sweep, not a shard`;
    const name = `shard ${shard.index}/${shard.of}`;
    const { uid = known, server } = cluster;
    if (shard.of !== first.scope.shard?.of) return `${name} is not one of ${first.scope.shard?.of} shards`;
    if (seen.has(shard.index)) return `there are two reports of ${name}`;
    seen.add(shard.index);
    if (server !== first.cluster.server)
      return `${name} is from ${server}, and not from ${first.cluster.server}`;
    if (uid !== known) return `${name} is from the cluster ${uid}, and not from ${known}`;
    if (describeScope(scope) !== describeScope(first.scope)) return `${name} has another scope`;
    if (run.dryRun !== first.run.dryRun) return `${name} and others are not all from a dry run`;
  }
  return undefined;
}

function wholeOf({ shard: _shard, ...scope }: SweepReport['scope']): SweepReport['scope'] {
  return scope;
}

function describeScope(scope: SweepReport['scope']): string {
  const { namespaces, excludeNamespaces = [], ...others } = wholeOf(scope);
  return JSON.stringify([
    [...namespaces].sort(),
    [...excludeNamespaces].sort(),
    Object.entries(others).sort(),
  ]);
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
function mergeTotals(totals: readonly SweepReport['totals'][]): SweepReport['totals'] {
  const sum = totals.reduce((one, other) => added(one, other) as SweepReport['totals']);
  return { ...sum, listed: sum.listed - sum.otherShards, otherShards: 0 };
}

function added(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object') return Number(one ?? 0) + Number(other ?? 0);
  const all: Readonly<Record<string, unknown>>[] = [{ ...one }, { ...other }];
  const keys = [...new Set(all.flatMap(Object.keys))].sort();
  return Object.fromEntries(keys.map((key) => [key, all.map((each) => each[key]).reduce(added)]));
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function apart(problem: string): Merged {
  return { kind: 'Apart', problem };
}
