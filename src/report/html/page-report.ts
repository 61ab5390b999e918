import { Clusters, type KnownCluster } from '../clusters.ts';
import { byStart } from '../order.ts';
import type { SweepReport } from '../schema.ts';

/** A report whose cluster has a name that no other cluster of the page has. */
export type PageReport = SweepReport & { readonly cluster: KnownCluster };

/** The last report first. */
export function pageReports(reports: readonly SweepReport[]): readonly PageReport[] {
  const clusters = new Clusters(reports.map(({ cluster }) => cluster));
  return [...reports]
    .sort(byStart)
    .reverse()
    .map((report) => ({ ...report, cluster: clusters.of(report.cluster) }));
}

/** The last report of each cluster. */
export function lastOfEach(reports: readonly PageReport[]): readonly PageReport[] {
  return [...new Map([...reports].reverse().map((one) => [one.cluster.id, one])).values()];
}
