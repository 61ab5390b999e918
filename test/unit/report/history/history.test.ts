import { expect, it } from 'vitest';
import { iso } from '../../../../src/report/format.ts';
import { historyOf } from '../../../../src/report/history/history.ts';
import { history } from '../../../../src/report/history/schema.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { mergeReports } from '../../../../src/report/sweep/merge.ts';
import { warnings } from '../../../builders/kinds.ts';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import { endedPod, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

const shards = (at: number, of: number) =>
  Array.from({ length: of }, (_, index) =>
    sweepAt({ at: at + index * minute, shard: { index, of }, pods: [stuckPod({ name: `${index}` })] }),
  );
const next = shards(now + hour, 3);
const shardOf = (index: number) => ({ index, of: 2 });
const merged = mergeReports(shards(now, 2));

// biome-ignore format: one row a line
it.each<readonly [what: string, counts: object, reports: readonly SweepReport[]]>([
  ['the shards of a sweep are one sweep', { sweeps: 3, reports: 12 }, [0, 1, 2].flatMap((index) => shards(now + index * hour, 4))],
  ['also if only the first shard is there', { sweeps: 2 }, [...shards(now, 3).slice(0, 1), ...next]],
  ['also if the first shard is missing', { sweeps: 2 }, [...shards(now, 3).slice(1), ...next]],
  ['shards of two series that take turns are sweeps of each', { sweeps: 2 }, [0, 1].flatMap((index) => ['a', 'b'].map((name) => sweepAt({ at: now + index * minute, shard: shardOf(index), id: `${name}${index}`, namespaces: [name] })))],
  ['shards of two clusters are two sweeps', { sweeps: 2 }, [sweepAt({ at: now, shard: shardOf(0) }), sweepAt({ at: now, context: 'staging', shard: shardOf(1) })]],
  ['a merged report replaces those of its shards', { sweeps: 1, reports: 1, pods: 2 }, [merged, ...shards(now, 2)]],
  ['in any order', { sweeps: 1, reports: 1, pods: 2 }, [...shards(now, 2), merged]],
])('sweeps are counted: %s', (_what, counts, reports) => {
  const { read, totals } = historyOf(reports);
  expect({ ...read, pods: totals.pods }).toMatchObject(counts);
});

it('a period does not run backwards if the clock was set back during a sweep', () => {
  const report = sweepAt({ at: now });
  const back = { ...report, run: { ...report.run, finishedAt: '2020-01-01T00:00:00.000Z' } };
  expect(historyOf([back]).period).toEqual({ from: report.run.startedAt, to: report.run.startedAt });
});

it('a uid in two clusters is two pods, and every list says whose', () => {
  const pods = [stuckPod({ name: 'a' })];
  const all = historyOf(['prod', 'staging'].map((context) => sweepAt({ at: now, pods, context })));
  expect(all.totals.pods).toBe(2);
  expect(all.clusters.map(({ name, sweeps, pods }) => [name, sweeps, pods])).toEqual([
    ['prod', 1, 1],
    ['staging', 1, 1],
  ]);
  for (const list of [all.namespaces, all.owners, all.stuck]) {
    expect(list.map(({ cluster }) => cluster)).toEqual(['prod', 'staging']);
  }
});

it('sweeps of one cluster by two addresses, and one that reached none, are its own', () => {
  const pods = [stuckPod({ name: 'a' })];
  const { clusters, totals } = historyOf([
    sweepAt({ at: now, pods, clusterUid: 'u' }),
    sweepAt({ at: now + hour, pods, clusterUid: 'u', context: 'inClusterContext' }),
    sweepAt({ at: now + 2 * hour, server: '' }),
  ]);
  expect(clusters).toMatchObject([{ name: 'prod', sweeps: 3, pods: 1 }]);
  expect(totals.pods).toBe(1);
});

it('says what was read', () => {
  const missing = { truncated: 3, unreadable: [], lost: 2, unfinished: 1 };
  const reports = [
    sweepAt({ at: now }),
    sweepAt({ at: now + hour, stoppedEarly: 'Deadline' }),
    sweepAt({ at: now + 2 * hour, unread: [{ problem: 'Forbidden', message: 'no' }] }),
    sweepAt({ at: now + 3 * hour, warnings: [warnings.Braked] }),
  ];
  const { read, period } = historyOf(reports, missing);
  const counted = { sweeps: 4, reports: 4, dryRuns: 0, stoppedEarly: 1, unread: 1, braked: 1 };
  expect(read).toEqual({ ...counted, ...missing });
  expect(period).toEqual({ from: iso(now), to: iso(now + 3 * hour + minute) });
});

const harm = { kind: 'RunsAgain', permitted: false } as const;
const ends = [endedPod({ name: 'b', endedAt: now }), endedPod({ name: 'c', endedAt: now, harm })];

// biome-ignore format: one row a line
it.each<readonly [what: string, isEmpty: boolean, reports: readonly SweepReport[]]>([
  ['nothing', true, []],
  ['dry runs alone', true, [sweepAt({ at: now, pods: [stuckPod({ name: 'a' })], dryRun: true })]],
  ['what is stuck, ended and harmed', false, [sweepAt({ at: now, pods: [stuckPod({ name: 'a' }), ...ends] })]],
])('the history of %s is as its schema says', (_what, isEmpty, reports) => {
  const all = historyOf(reports);
  expect(history.safeParse(all).error).toBeUndefined();
  expect(all.totals.harm).toEqual(isEmpty ? {} : { RunsAgain: 1 });
  expect(all.totals.pods).toBe(isEmpty ? 0 : 3);
  expect('period' in all).toBe(!isEmpty);
});
