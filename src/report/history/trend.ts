import type { Resources } from '../../model/pod.ts';
import { countKinds } from '../../util/groups.ts';
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
  const indexOf = (time: Millis) => Math.min(Math.max(Math.floor((time - begin) / step), 0), length - 1);
  let stuck = 0;
  const points = Array.from({ length }, (_, index) => {
    const isWithin = (time: Millis) => indexOf(time) === index;
    const from = begin + index * step;
    const found = pods.filter(({ firstSeenAt }) => isWithin(firstSeenAt)).length;
    // The kubelet's clock may be behind that of the sweep.
    const left = pods.filter(({ until, firstSeenAt }) => isWithin(Math.max(until, firstSeenAt)));
    const { Ended: ended = 0, Gone: gone = 0 } = countKinds(left.map(({ fate }) => fate));
    stuck += found - ended - gone;
    const wasted = wastedBy(pods, from, index === length - 1 ? Infinity : from + step);
    return { from: iso(from), sweeps: starts.filter(isWithin).length, found, ended, gone, stuck, wasted };
  });
  return { stepMs: step, wastedBefore: wastedBy(pods, -Infinity, begin), points };
}

/** What the pods reserved between two times, from the end of their mains until their own. */
export function wastedBy(pods: readonly PodHistory[], from = -Infinity, to = Infinity): Usage {
  const spent = pods.map(({ requests, mainsEndedAt, until }) =>
    spend(requests, Math.max(Math.min(until, to) - Math.max(mainsEndedAt, from), 0)),
  );
  return toUsage(sumOf(spent));
}

function stepFor({ from, to }: Period, intervals: number): Millis {
  const least = (to - from) / intervals;
  return steps.find((step) => step >= least) ?? 4 * week * Math.ceil(least / (4 * week));
}

function floor(time: Millis, step: Millis): Millis {
  const offset = step >= week ? firstMonday : 0;
  return Math.floor((time - offset) / step) * step + offset;
}
