import { Clusters, type KnownCluster } from '../clusters.ts';
import type { SweepReport } from '../schema.ts';

/** A report of a cluster that is told from all others of the page. */
export type PageReport = SweepReport & { readonly cluster: KnownCluster };

export function pageReports(reports: readonly SweepReport[]): readonly PageReport[] {
  const clusters = new Clusters(reports.map(({ cluster }) => cluster));
  return reports.map((report) => ({ ...report, cluster: clusters.of(report.cluster) }));
}

/** The last report of each cluster, of reports that come with the last one first. */
export function lastOfEach(reports: readonly PageReport[]): readonly PageReport[] {
  return [...new Map([...reports].reverse().map((one) => [one.cluster.id, one])).values()];
}
