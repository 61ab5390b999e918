import type { SweepReport } from '../report/schema.ts';

/**
 * Each report once, from the earliest to the latest. A run may be in several files, and `report merge` makes
 * one report out of those of shards: that one counts, and they do not.
 */
export function distinct(reports: readonly SweepReport[]): readonly SweepReport[] {
  const merged = new Set(
    reports.flatMap(({ run, cluster }) => partsOf(run.id).map((id) => key(cluster, id))),
  );
  const byKey = new Map<string, SweepReport>();
  for (const report of reports) {
    const { run, cluster, scope } = report;
    const own = key(cluster, run.id);
    if (merged.has(own)) continue;
    const shard = `${own} ${scope.shard?.index}`;
    const before = byKey.get(shard);
    // The longer one, if something is missing in a copy.
    if (!before || report.pods.length > before.pods.length) byKey.set(shard, report);
  }
  return [...byKey]
    .sort(([a, one], [b, other]) => timeOf(one) - timeOf(other) || (a < b ? -1 : 1))
    .map(([, report]) => report);
}

/** When the pods of a report were judged. */
export function timeOf({ run }: SweepReport): number {
  return Date.parse(run.asOf ?? run.startedAt);
}

/** The runs that were merged into this one. */
function partsOf(id: string): readonly string[] {
  const ids = id.split(',');
  return ids.length > 1 ? ids : [];
}

function key({ server }: SweepReport['cluster'], id: string): string {
  return `${server} ${id}`;
}
