import { describe, expect, it } from 'vitest';
import { iso } from '../../../../src/report/format.ts';
import { historyOf } from '../../../../src/report/history/history.ts';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import { attemptBy, endedPod, gib, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

const day = 24 * hour;

it('a pod that was stuck over 50 sweeps is one pod, wasted until it was last seen', () => {
  const pod = stuckPod({ name: 'a', mainsEndedAt: now - hour });
  const last = now + 49 * 5 * minute;
  const { totals, stuck, read } = historyOf(
    Array.from({ length: 50 }, (_, index) => sweepAt({ at: now + index * 5 * minute, pods: [pod] })),
  );
  expect(read).toMatchObject({ sweeps: 50, reports: 50, dryRuns: 0 });
  expect(totals).toMatchObject({ pods: 1, ended: 0, gone: 0, stuck: 1 });
  const hours = 1 + (49 * 5) / 60;
  expect(totals.wasted.cpuHours).toBeCloseTo(hours, 5);
  expect(totals.wasted.gibHours).toBeCloseTo(4 * hours, 5);
  expect(totals.reserved).toEqual({ cpu: 1, memory: 4 * gib });
  const where = { cluster: 'prod', namespace: 'demo', name: 'a' };
  expect(stuck).toMatchObject([{ ...where, sweeps: 50, lastSeenAt: iso(last) }]);
});

it('a pod that a sweep ended is wasted until its sidecar ended, and reclaimed from then to the last sweep', () => {
  const pod = endedPod({ name: 'a', mainsEndedAt: now - hour, endedAt: now + 30_000 });
  const { totals } = historyOf([sweepAt({ at: now, pods: [pod] }), sweepAt({ at: now + day })]);
  expect(totals).toMatchObject({ pods: 1, ended: 1, stuck: 0 });
  expect(totals.wasted.cpuHours).toBeCloseTo(1 + 30 / 3600, 5);
  expect(totals.reclaimed.cpuHours).toBeCloseTo(24 + 30 / 3600, 4);
  expect(totals.wastedByStuck).toEqual({ cpuHours: 0, gibHours: 0 });
});

it('pods without requests are counted, because what they wasted is unknown', () => {
  const requests = { cpu: 0, memory: 0 };
  const pods = [stuckPod({ name: 'a' }), ...['b', 'c'].map((name) => stuckPod({ name, requests }))];
  const { totals } = historyOf([sweepAt({ at: now, pods }), sweepAt({ at: now + hour, pods })]);
  expect(totals).toMatchObject({ pods: 3, withoutRequests: 2 });
});

const ofJob = { kind: 'Job', name: 'parallel' };
const hourly = Array.from({ length: 24 }, (_, index) => {
  const at = now + index * hour;
  const owner = { kind: 'Job', name: `hourly-${at / minute}` };
  return sweepAt({ at, pods: [endedPod({ name: `${owner.name}-x`, owner, mainsEndedAt: at, endedAt: at })] });
});
const together = ['a', 'b', 'c'].map((name) => endedPod({ name, owner: ofJob, endedAt: now }));
const outcome = { kind: 'Gone', job: { kind: 'NoJob' } } as const;
const succeeded = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'NoJob' } } as const;
const attempts = [attemptBy('Evict')];
const evicted = stuckPod({ name: 'evicted', outcome, sidecarOutcome: { kind: 'Gone' }, attempts });
const otherwise = [
  stuckPod({ name: 'gone', outcome }),
  stuckPod({ name: 'ended', outcome: succeeded, sidecarOutcome: { kind: 'AlreadyEnded', exitCode: 0 } }),
  stuckPod({ name: 'blocked' }),
];
const later = sweepAt({ at: now + hour - minute });

// biome-ignore format: one row a line
it.each<readonly [coreHours: number, what: string, reports: Parameters<typeof historyOf>[0]]>([
  [24, 'the 24 Jobs of an hourly CronJob, one at a time', [...hourly, sweepAt({ at: now + day - minute })]],
  [3, 'three pods that one Job ran together', [sweepAt({ at: now, pods: together }), later]],
  [1, 'a pod that a last resort evicted', [sweepAt({ at: now, pods: [evicted] }), sweepAt({ at: now + hour })]],
  [0, 'pods that ended otherwise or are still stuck', [sweepAt({ at: now, pods: otherwise }), later]],
])('%d core-hours are reclaimed from %s', (coreHours, _what, reports) => {
  expect(historyOf(reports).totals.reclaimed.cpuHours).toBeCloseTo(coreHours, 5);
});

describe('the intervals of the trend', () => {
  const trendOver = (span: number) => {
    const starts = Array.from({ length: 100 }, (_, index) => now - Math.round((span * index) / 99));
    return historyOf(starts.map((at, index) => sweepAt({ at, id: `run-${index}` }))).trend;
  };

  it.each([
    ['a sweep', 0, 5 * minute],
    ['two hours', 2 * hour, 5 * minute],
    ['an afternoon', 6 * hour, 15 * minute],
    ['a day', day, hour],
    ['a week', 7 * day, 6 * hour],
    ['three weeks', 21 * day, day],
    ['half a year', 180 * day, 7 * day],
    ['a year', 365 * day, 28 * day],
    ['from a clock that was never set', now, 28 * day * 24],
  ])('of %s are few', (_what, span, step) => {
    const { stepMs, points } = trendOver(span);
    expect(stepMs).toBe(step);
    expect(points.length).toBeLessThanOrEqual(33);
  });

  it('are no more than there were sweeps, and begin where calendars have them', () => {
    const starts = [0, 1, 2, 3].map((index) => now + index * hour);
    const { trend } = historyOf(starts.map((at) => sweepAt({ at })));
    expect(trend).toMatchObject({ stepMs: hour, points: starts.map(() => ({ sweeps: 1 })) });
    const from = (span: number) => trendOver(span).points[0]?.from;
    expect(from(21 * day)).toBe('2026-10-31T00:00:00.000Z');
    expect(new Date(from(180 * day) ?? '').getUTCDay()).toBe(1);
  });

  it('show what was found, ended and left stuck, and when it was wasted', () => {
    const long = stuckPod({ name: 'long', mainsEndedAt: now - hour });
    const short = endedPod({ name: 'short', mainsEndedAt: now + day, endedAt: now + day + hour });
    const { trend, totals } = historyOf([
      sweepAt({ at: now, pods: [long] }),
      sweepAt({ at: now + day, pods: [long, short] }),
      ...Array.from({ length: 29 }, (_, index) => sweepAt({ at: now + (index + 2) * day })),
    ]);
    expect(trend.stepMs).toBe(day);
    const points = trend.points.map(({ wasted, ...point }) => ({ ...point, cpuHours: wasted.cpuHours }));
    // `now` is at four in the morning.
    expect(points.slice(0, 3)).toMatchObject([
      { from: iso(now - 4 * hour), sweeps: 1, found: 1, ended: 0, gone: 0, stuck: 1, cpuHours: 1 + 20 },
      { sweeps: 1, found: 1, ended: 1, gone: 1, stuck: 0, cpuHours: 4 + 1 },
      { sweeps: 1, found: 0, stuck: 0, cpuHours: 0 },
    ]);
    expect(points.at(-1)).toMatchObject({ sweeps: 1 });
    expect(totals.wasted.cpuHours).toBe(26);
  });

  it('leave out what was wasted before', () => {
    const pod = stuckPod({ name: 'old', mainsEndedAt: now - 10 * hour });
    const { trend, totals } = historyOf([sweepAt({ at: now, pods: [pod] })]);
    expect([trend.wastedBefore.cpuHours, totals.wasted.cpuHours]).toEqual([10, 10]);
  });
});
