import type { Resources } from '../../model/pod.ts';
import type { Millis } from '../../util/time.ts';
import { iso, sumOf } from '../format.ts';
import { type PodHistory, spend } from './pods.ts';
import type { History, Usage } from './schema.ts';
import type { Period } from './sweeps.ts';

const minute: Millis = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
const steps: readonly Millis[] = [5 * minute, 15 * minute, hour, 6 * hour, day, week, 4 * week];
const mostIntervals = 32;
/** The epoch was a Thursday; weeks begin on Mondays. */
const firstMonday = 4 * day;

/** From cores and bytes, multiplied by milliseconds. */
export function toUsage({ cpu, memory }: Resources): Usage {
  // To millionths: the last digits of a sum are noise.
  const rounded = (value: number) => Number(value.toFixed(6));
  return { cpuHours: rounded(cpu / hour), gibHours: rounded(memory / 1024 ** 3 / hour) };
}

/** Waste over time, in intervals of the calendar, no more of them than sweeps. */
export function trendOf(
  pods: readonly PodHistory[],
  starts: readonly Millis[],
  period: Period | undefined,
): History['trend'] {
  if (!period) return { stepMs: day, wastedBefore: toUsage(sumOf([])), points: [] };
  const step = stepFor(period, Math.min(mostIntervals, starts.length));
  const begin = floor(period.from, step);
  const length = (floor(period.to, step) - begin) / step + 1;
  const intervals = Array.from({ length }, (_, index) => {
    const from = begin + index * step;
    return { from, sweeps: 0, found: 0, ended: 0, gone: 0, wasted: sumOf([]) };
  });
  const indexOf = (time: Millis) => Math.min(Math.max(Math.floor((time - begin) / step), 0), length - 1);
  const at = (time: Millis) => intervals[indexOf(time)] as (typeof intervals)[number];

  for (const start of starts) at(start).sweeps++;
  let before = sumOf([]);
  for (const { firstSeenAt, fate, until, requests, mainsEndedAt } of pods) {
    at(firstSeenAt).found++;
    // The kubelet's clock may be behind that of the sweep.
    const leftAt = at(Math.max(until, firstSeenAt));
    if (fate === 'Ended') leftAt.ended++;
    if (fate === 'Gone') leftAt.gone++;
    const spentWithin = (from: Millis, to: Millis) =>
      spend(requests, Math.max(Math.min(until, to) - Math.max(mainsEndedAt, from), 0));
    before = sumOf([before, spentWithin(-Infinity, begin)]);
    for (const interval of intervals.slice(indexOf(mainsEndedAt), indexOf(until) + 1)) {
      const to = interval === intervals.at(-1) ? Infinity : interval.from + step;
      interval.wasted = sumOf([interval.wasted, spentWithin(interval.from, to)]);
    }
  }
  let stuck = 0;
  const points = intervals.map(({ from, wasted, ...counts }) => {
    stuck += counts.found - counts.ended - counts.gone;
    return { from: iso(from), ...counts, stuck, wasted: toUsage(wasted) };
  });
  return { stepMs: step, wastedBefore: toUsage(before), points };
}

function stepFor({ from, to }: Period, intervals: number): Millis {
  const least = (to - from) / intervals;
  return steps.find((step) => step >= least) ?? 4 * week * Math.ceil(least / (4 * week));
}

function floor(time: Millis, step: Millis): Millis {
  const offset = step >= week ? firstMonday : 0;
  return Math.floor((time - offset) / step) * step + offset;
}
