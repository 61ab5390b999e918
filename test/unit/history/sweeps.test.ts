import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../src/history/history.ts';
import { mergeReports } from '../../../src/report/sweep/merge.ts';
import { hour, minute, now } from '../../builders/pod-view.ts';
import { stuckPod, sweepAt } from '../../builders/sweeps.ts';

describe('sweeps are counted', () => {
  const shards = (at: number, of: number) =>
    Array.from({ length: of }, (_, index) => sweepAt({ at: at + index * minute, shard: { index, of } }));
  const read = (...reports: Parameters<typeof historyOf>[0]) => historyOf(reports).read;

  it('with all their shards as one', () => {
    const reports = [0, 1, 2].flatMap((index) => shards(now + index * hour, 4));
    expect(read(...reports)).toMatchObject({ sweeps: 3, reports: 12 });
  });

  it('also if a shard is missing', () => {
    const [first, ...others] = shards(now, 3);
    if (!first) throw new Error('no shard');
    expect(read(first, ...shards(now + hour, 3))).toMatchObject({ sweeps: 2 });
    expect(read(...others, ...shards(now + hour, 3))).toMatchObject({ sweeps: 2 });
  });

  it('apart in each cluster', () => {
    const staging = sweepAt({ at: now, context: 'staging', shard: { index: 1, of: 2 } });
    expect(read(sweepAt({ at: now, shard: { index: 0, of: 2 } }), staging)).toMatchObject({ sweeps: 2 });
  });

  it('once, if their reports were merged as well', () => {
    const parts = shards(now, 2).map((report, index) => ({
      ...report,
      pods: [stuckPod({ name: `${index}` })],
    }));
    const merged = mergeReports(parts);
    if (merged.kind !== 'Merged') throw new Error(merged.problem);
    for (const reports of [
      [merged.report, ...parts],
      [...parts, merged.report, merged.report],
    ]) {
      const { read, totals } = historyOf(reports);
      expect(read).toMatchObject({ sweeps: 1, reports: 1 });
      expect(totals.pods).toBe(2);
    }
  });
});

it('of two copies of a report, the one counts in which nothing is missing', () => {
  const whole = sweepAt({ at: now, pods: [stuckPod({ name: 'a' }), stuckPod({ name: 'b' })] });
  const part = { ...whole, pods: whole.pods.slice(0, 1) };
  for (const reports of [
    [whole, part],
    [part, whole],
  ]) {
    expect(historyOf(reports)).toMatchObject({ read: { sweeps: 1, copies: 1 }, totals: { pods: 2 } });
  }
});

it('a clock that was set back during a sweep makes no time that runs backwards', () => {
  const report = sweepAt({ at: now });
  const back = { ...report, run: { ...report.run, finishedAt: '2020-01-01T00:00:00.000Z' } };
  expect(historyOf([back]).period).toEqual({ from: report.run.startedAt, to: report.run.startedAt });
});
