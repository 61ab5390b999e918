import { apiVersion } from '../report/api-version.ts';
import { Clusters } from '../report/clusters.ts';
import type { History } from '../report/history/schema.ts';
import type { ReadReports } from '../report/records/read.ts';
import type { SweepReport } from '../report/schema.ts';
import { iso } from '../report/times.ts';
import { clustersOf } from './by-cluster.ts';
import { distinct } from './distinct.ts';
import { listsOf } from './lists.ts';
import { pastOf } from './past.ts';
import { sightingsOf } from './sighting.ts';
import { Stories } from './story.ts';
import { lastLooks, periodOf, startsOf, sweptBy } from './sweeps.ts';
import { totalsOf } from './totals.ts';
import { trendOf } from './trend.ts';

export type { History };

/** What was read besides reports, and what is missing in them. */
export type Missing = Omit<ReadReports, 'reports'>;

const complete: Missing = { truncated: 0, unreadable: [], other: 0, lost: 0, shortened: 0, unfinished: 0 };

/** What the reports of many sweeps say together, in whatever order they come. A dry run adds nothing. */
export function historyOf(reports: readonly SweepReport[], lines: Missing = complete): History {
  const real = reports.filter(({ run }) => !run.dryRun);
  const inOrder = distinct(real);
  const stories = new Stories();
  const clusters = new Clusters(inOrder.map(({ cluster }) => cluster));
  const swept = inOrder.map((report) => {
    const sweep = sweptBy(report, clusters.of(report.cluster));
    const { cluster, series, asOf: at } = sweep;
    for (const sighting of sightingsOf(report, at)) stories.hear({ cluster, series, at, sighting });
    return sweep;
  });
  const looks = lastLooks(swept);
  const pasts = stories.all().map((story) => pastOf(story, looks));
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
      ...lines,
    },
    totals: totalsOf(pasts, swept),
    trend: trendOf(pasts, { starts, period }),
    clusters: clustersOf(pasts, swept),
    ...listsOf(pasts),
  };
}
