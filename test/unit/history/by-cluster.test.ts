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

it('two clusters that have the same address from their pods are two, and go by their uids', () => {
  const within = {
    context: 'inClusterContext',
    server: 'https://10.96.0.1:443',
    pods: [stuckPod({ name: 'a' })],
  };
  const history = historyOf([
    sweepAt({ ...within, at: now, clusterUid: '5f2c1a9e-8d1b-4c5e-9a77-0c1d2e3f4a5b' }),
    sweepAt({ ...within, at: now, clusterUid: 'b81d03c4-0f0e-4d7c-8b52-6d5c4b3a2f1e' }),
    sweepAt({ at: now }),
  ]);
  expect(history.clusters.map(({ name, uid, pods }) => [name, uid?.slice(0, 8), pods])).toEqual([
    ['5f2c1a9e', '5f2c1a9e', 1],
    ['b81d03c4', 'b81d03c4', 1],
    ['prod', undefined, 0],
  ]);
  expect(history.totals.pods).toBe(2);
  for (const list of [history.namespaces, history.owners, history.stuck]) {
    expect(list.map(({ cluster }) => cluster)).toEqual(['5f2c1a9e', 'b81d03c4']);
  }
});

it('a cluster that is swept by two addresses is one, and its pods are counted once', () => {
  const pods = [stuckPod({ name: 'a' })];
  const { clusters, totals } = historyOf([
    sweepAt({ at: now, pods, clusterUid: 'u' }),
    sweepAt({
      at: now + hour,
      pods,
      clusterUid: 'u',
      context: 'inClusterContext',
      server: 'https://10.96.0.1:443',
    }),
  ]);
  expect(clusters.map(({ name, sweeps, pods }) => ({ name, sweeps, pods }))).toEqual([
    { name: 'prod', sweeps: 2, pods: 1 },
  ]);
  expect(totals.pods).toBe(1);
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
