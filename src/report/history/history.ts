import { apiVersion } from '../api-version.ts';
import { Clusters } from '../clusters.ts';
import type { ReadReports } from '../records/read.ts';
import type { SweepReport } from '../schema.ts';
import { iso } from '../times.ts';
import { clustersOf, listsOf } from './lists.ts';
import { podHistories } from './pods.ts';
import type { History } from './schema.ts';
import { sightingsOf } from './sighting.ts';
import { distinct, lastComplete, lastSweeps, periodOf, startsOf, sweptBy } from './sweeps.ts';
import { trendOf } from './trend.ts';
import { totalsOf } from './waste.ts';

/** What was read besides reports, and what is missing in them. */
export type Missing = Omit<ReadReports, 'reports'>;

const complete: Missing = { truncated: 0, unreadable: [], other: 0, lost: 0, shortened: 0, unfinished: 0 };

/** What the reports of many sweeps say together, in any order. Dry runs are counted and add nothing else. */
export function historyOf(reports: readonly SweepReport[], missing: Missing = complete): History {
  const real = reports.filter(({ run }) => !run.dryRun);
  const inOrder = distinct(real);
  const clusters = new Clusters(inOrder.map(({ cluster }) => cluster));
  const found = inOrder.map((report) => {
    const sweep = sweptBy(report, clusters.of(report.cluster));
    const { cluster, series, asOf: at } = sweep;
    return { sweep, seen: sightingsOf(report, at).map((sighting) => ({ cluster, series, at, sighting })) };
  });
  const swept = found.map(({ sweep }) => sweep);
  const pods = podHistories(
    found.flatMap(({ seen }) => seen),
    lastComplete(swept),
  );
  const starts = startsOf(swept);
  const period = periodOf(swept);
  return {
    apiVersion,
    kind: 'History',
    ...(period && { period: { from: iso(period.from), to: iso(period.to) } }),
    read: {
      sweeps: starts.length,
      reports: swept.length,
      copies: real.length - swept.length,
      dryRuns: reports.length - real.length,
      stoppedEarly: swept.filter(({ stoppedEarly }) => stoppedEarly).length,
      unread: swept.filter(({ unread }) => unread).length,
      braked: swept.filter(({ braked }) => braked).length,
      ...missing,
    },
    totals: totalsOf(pods, lastSweeps(swept)),
    trend: trendOf(pods, starts, period),
    clusters: clustersOf(pods, swept),
    ...listsOf(pods),
  };
}
