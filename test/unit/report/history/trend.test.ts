import { describe, expect, it } from 'vitest';
import { iso } from '../../../../src/report/format.ts';
import { historyOf } from '../../../../src/report/history/history.ts';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import { endedPod, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

const day = 24 * hour;

/** Of a hundred sweeps until now. */
function trendOver(span: number) {
  const starts = Array.from({ length: 100 }, (_, index) => now - Math.round((span * index) / 99));
  return historyOf(starts.map((at, index) => sweepAt({ at, id: `run-${index}` }))).trend;
}

describe('the parts of the time', () => {
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

  it('are no more than there were sweeps', () => {
    const starts = [0, 1, 2, 3].map((index) => now + index * hour);
    const { trend } = historyOf(starts.map((at) => sweepAt({ at })));
    expect(trend).toMatchObject({ stepMs: hour, points: starts.map(() => ({ sweeps: 1 })) });
  });

  it('begin where calendars have them', () => {
    const from = (span: number) => trendOver(span).points[0]?.from;
    expect(from(21 * day)).toBe('2026-10-31T00:00:00.000Z');
    expect(new Date(from(180 * day) ?? '').getUTCDay()).toBe(1);
  });
});

it('shows what was found, ended and left stuck, and when it was wasted', () => {
  const long = stuckPod({ name: 'long', mainsEndedAt: now - hour });
  const short = endedPod({ name: 'short', mainsEndedAt: now + day, endedAt: now + day + hour });
  const { trend, totals } = historyOf([
    sweepAt({ at: now, pods: [long] }),
    sweepAt({ at: now + day, pods: [long, short] }),
    ...Array.from({ length: 29 }, (_, index) => sweepAt({ at: now + (index + 2) * day })),
  ]);
  expect(trend.stepMs).toBe(day);
  const [first, second, third, ...rest] = trend.points;
  // `now` is at four in the morning.
  expect(first).toMatchObject({
    from: iso(now - 4 * hour),
    sweeps: 1,
    found: 1,
    ended: 0,
    gone: 0,
    stuck: 1,
  });
  expect(first?.wasted.cpuHours).toBe(1 + 20);
  expect(second).toMatchObject({ sweeps: 1, found: 1, ended: 1, gone: 1, stuck: 0 });
  expect(second?.wasted.cpuHours).toBe(4 + 1);
  expect(third).toMatchObject({ sweeps: 1, found: 0, stuck: 0, wasted: { cpuHours: 0, gibHours: 0 } });
  expect(rest.at(-1)).toMatchObject({ sweeps: 1 });
  expect(totals.wasted.cpuHours).toBe(26);
});

it('says what was wasted before', () => {
  const pod = stuckPod({ name: 'old', mainsEndedAt: now - 10 * hour });
  const { trend, totals } = historyOf([sweepAt({ at: now, pods: [pod] })]);
  expect(trend.wastedBefore.cpuHours).toBe(10);
  expect(totals.wasted.cpuHours).toBe(10);
});
