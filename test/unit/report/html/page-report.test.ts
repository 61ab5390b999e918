import { expect, it } from 'vitest';
import { lastOfEach, pageReports } from '../../../../src/report/html/page-report.ts';
import { hour, now } from '../../../builders/pod-view.ts';
import { sweepAt } from '../../../builders/sweeps.ts';

it('of each cluster the last report, even if two have one address', () => {
  const within = { context: 'inClusterContext', server: 'https://10.96.0.1:443' };
  const reports = [
    sweepAt({ at: now + 2 * hour, ...within, clusterUid: 'a', id: 'last of a' }),
    sweepAt({ at: now + hour, ...within, clusterUid: 'b', id: 'last of b' }),
    sweepAt({ at: now, ...within, clusterUid: 'a', id: 'first of a' }),
    sweepAt({ at: now, id: 'of prod' }),
  ];
  const last = lastOfEach(pageReports(reports));
  expect(last.map(({ run }) => run.id).sort()).toEqual(['last of a', 'last of b', 'of prod']);
  expect(last.map(({ cluster }) => cluster.name).sort()).toEqual(['a', 'b', 'prod']);
});
