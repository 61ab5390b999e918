import { expect, it } from 'vitest';
import { historyOf } from '../../../src/history/history.ts';
import { hour, now } from '../../builders/pod-view.ts';
import { stuckPod, sweepAt } from '../../builders/sweeps.ts';

const names = (...reports: Parameters<typeof historyOf>[0]) =>
  historyOf(reports)
    .clusters.map(({ name }) => name)
    .sort();

it('a cluster has the name of its context', () => {
  expect(names(sweepAt({ at: now }), sweepAt({ at: now, context: 'staging' }))).toEqual(['prod', 'staging']);
});

it('if several have the same context, as within clusters, they have the names of their servers', () => {
  const within = { at: now, context: 'inClusterContext' };
  expect(
    names(
      sweepAt({ ...within, server: 'https://10.0.0.1:443' }),
      sweepAt({ ...within, server: 'https://10.96.0.1:443' }),
      sweepAt({ at: now }),
    ),
  ).toEqual(['https://10.0.0.1:443', 'https://10.96.0.1:443', 'prod']);
});

it('a sweep that no server has answered belongs to the cluster of its context', () => {
  const unread = [{ problem: 'Unreachable', message: 'no such host' }];
  const { clusters } = historyOf([
    sweepAt({ at: now, pods: [stuckPod({ name: 'a' })] }),
    sweepAt({ at: now + hour, server: '', unread }),
    sweepAt({ at: now + hour, context: 'gone', server: '', unread }),
  ]);
  expect(clusters.map(({ name, sweeps, pods }) => ({ name, sweeps, pods }))).toEqual([
    { name: 'prod', sweeps: 2, pods: 1 },
    { name: 'gone', sweeps: 1, pods: 0 },
  ]);
});
