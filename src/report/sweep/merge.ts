import { addCounts } from '../counts.ts';
import { byName } from '../names.ts';
import type { SweepReport } from '../schema.ts';

export type Merged =
  | { readonly kind: 'Merged'; readonly report: SweepReport }
  /** The reports do not belong to one sweep; `problem` says why. */
  | { readonly kind: 'Apart'; readonly problem: string };

/** Merges the reports of a sweep's shards, or returns that of a whole sweep. A missing shard counts as unread. */
export function mergeReports(reports: readonly SweepReport[]): Merged {
  const [first] = reports;
  if (!first) return apart('there are no reports to merge');
  // A log of one sweep, which was not split.
  if (reports.length === 1 && !first.scope.shard) return { kind: 'Merged', report: first };
  const problem = whyApart(first, reports);
  if (problem !== undefined) return apart(problem);
  const { run, cluster, scope } = first;
  const startedAt = earliest(reports.map((report) => report.run.startedAt));
  const finishedAt = latest(reports.map((report) => report.run.finishedAt));
  const stoppedEarly = reports.find((report) => report.run.stoppedEarly)?.run.stoppedEarly;
  const asOf = reports.flatMap((report) => report.run.asOf ?? []);
  const merged: SweepReport = {
    apiVersion: first.apiVersion,
    kind: first.kind,
    run: {
      id: reports.map((report) => report.run.id).join(','),
      version: run.version,
      startedAt,
      finishedAt,
      durationMs: Date.parse(finishedAt) - Date.parse(startedAt),
      ...(asOf.length > 0 && { asOf: earliest(asOf) }),
      dryRun: run.dryRun,
      ...(stoppedEarly && { stoppedEarly }),
    },
    cluster: reports.find((report) => report.cluster.uid !== undefined)?.cluster ?? cluster,
    scope: wholeOf(scope),
    unread: [...distinct(reports.flatMap(({ unread }) => unread)), ...missingShards(reports)],
    totals: mergeTotals(reports.map(({ totals }) => totals)),
    undecided: reports.flatMap(({ undecided }) => undecided),
    ...(first.excluded && { excluded: reports.flatMap(({ excluded }) => excluded ?? []) }),
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
    const name = `${shard.index}/${shard.of}`;
    if (shard.of !== first.scope.shard?.of)
      return `shard ${name} is not one of ${first.scope.shard?.of} shards`;
    if (seen.has(shard.index)) return `there are two reports of shard ${name}`;
    seen.add(shard.index);
    if (cluster.server !== first.cluster.server) {
      return `shard ${name} is from ${cluster.server}, but others are from ${first.cluster.server}`;
    }
    if (cluster.uid !== undefined && cluster.uid !== known) {
      return `shard ${name} is from the cluster ${cluster.uid}, but others are from ${known}`;
    }
    if (describeScope(scope) !== describeScope(first.scope)) return `shard ${name} has another scope`;
    if (run.dryRun !== first.run.dryRun) return `shard ${name} and others are not all from a dry run`;
  }
  return undefined;
}

function wholeOf({ shard: _shard, ...scope }: SweepReport['scope']): SweepReport['scope'] {
  return scope;
}

function describeScope(scope: SweepReport['scope']): string {
  const {
    namespaces,
    labelSelector,
    includePending,
    minAgeMs,
    excludeNamespaces = [],
    namespaceSelector,
  } = scope;
  const sorted = [[...namespaces].sort(), [...excludeNamespaces].sort()];
  return JSON.stringify([sorted, namespaceSelector, labelSelector, includePending, minAgeMs]);
}

function missingShards(reports: readonly SweepReport[]): SweepReport['unread'] {
  const of = reports[0]?.scope.shard?.of ?? 0;
  const present = reports.map(({ scope }) => scope.shard?.index);
  return Array.from({ length: of }, (_, index) => index)
    .filter((index) => !present.includes(index))
    .map((index) => ({ problem: 'ShardMissing', message: `the report of shard ${index}/${of} is missing` }));
}

/** Every shard lists all pods, but here counts only its own. */
function mergeTotals(totals: readonly SweepReport['totals'][]): SweepReport['totals'] {
  const sum = (read: (each: SweepReport['totals']) => number) =>
    totals.reduce((total, each) => total + read(each), 0);
  return {
    listed: sum(({ listed, otherShards }) => listed - otherShards),
    otherShards: 0,
    excluded: sum(({ excluded }) => excluded),
    excludedBecause: addCounts(totals.map(({ excludedBecause }) => excludedBecause)),
    undecided: sum(({ undecided }) => undecided),
    neverStarted: sum(({ neverStarted }) => neverStarted),
    notStartedAgain: sum(({ notStartedAgain }) => notStartedAgain),
    hanging: addCounts(totals.map(({ hanging }) => hanging)),
    candidates: sum(({ candidates }) => candidates),
    remarks: addCounts(totals.map(({ remarks }) => remarks)),
    leftOut: {
      remarks: sum(({ leftOut }) => leftOut.remarks),
      warnings: sum(({ leftOut }) => leftOut.warnings),
    },
    pods: addCounts(totals.map(({ pods }) => pods)),
    sidecars: addCounts(totals.map(({ sidecars }) => sidecars)),
    stillRunning: addCounts(totals.map(({ stillRunning }) => stillRunning)),
    leftForNext: addCounts(totals.map(({ leftForNext }) => leftForNext)),
    harm: addCounts(totals.map(({ harm }) => harm)),
  };
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** RFC 3339 times in UTC sort as text. */
function earliest(times: readonly string[]): string {
  return [...times].sort()[0] ?? '';
}

function latest(times: readonly string[]): string {
  return [...times].sort().at(-1) ?? '';
}

function apart(problem: string): Merged {
  return { kind: 'Apart', problem };
}
