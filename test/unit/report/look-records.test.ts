import { expect, it } from 'vitest';
import { lookRecords } from '../../../src/report/look.ts';
import { ScanFold } from '../../../src/report/scan/scan.ts';
import { candidate } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';
import { listed } from '../../builders/report.ts';

it('each record says its kind and its cluster, and the last one sums up', () => {
  const fold = new ScanFold();
  for (const event of listed(candidate())) fold.hear(event);
  fold.hear({ kind: 'Warned', warning: { kind: 'ListInconsistent' } });
  const problem = { kind: 'Forbidden', message: 'no' } as const;
  fold.hear({ kind: 'ReadFailed', namespace: 'jobs', problem });
  const cluster = { context: 'kind', server: 'https://127.0.0.1:6443' };
  const scan = fold.report(cluster, now);
  expect([...lookRecords(scan, 'StuckPod', scan.candidates)]).toEqual([
    { kind: 'StuckPod', cluster, ...scan.candidates[0] },
    { kind: 'Unread', cluster, problem: { namespace: 'jobs', problem: 'Forbidden', message: 'no' } },
    { kind: 'Warning', cluster, warning: { kind: 'ListInconsistent' } },
    {
      kind: 'Scan',
      cluster,
      asOf: scan.asOf,
      listed: 1,
      excludedBecause: {},
      leftOut: { remarks: 0, warnings: 0 },
    },
  ]);
});

it('what hangs for other reasons has records too', () => {
  const scan = new ScanFold().report({ context: 'kind', server: '' }, now);
  const hanging = {
    namespace: 'jobs',
    name: 'load',
    since: '2026-11-21T04:00:00Z',
    hang: { kind: 'MainNotRestarted', container: 'main', exitCode: 1 },
    page: 'explain --reason MainNotRestarted',
    remarks: [],
  } as const;
  const [record] = lookRecords({ ...scan, hanging: [hanging] }, 'StuckPod', []);
  expect(record).toEqual({ kind: 'Hanging', cluster: scan.cluster, ...hanging });
});
