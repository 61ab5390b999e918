import type { Millis } from '../duration.ts';
import type { History, TrendPoint } from '../report/history/schema.ts';
import { iso } from '../report/times.ts';
import type { Past } from './past.ts';
import { add, nothing, type Spent, spend, toUsage } from './spent.ts';
import type { Period } from './sweeps.ts';

const minute: Millis = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
const steps: readonly Millis[] = [5 * minute, 15 * minute, hour, 6 * hour, day, week, 4 * week];
/** As many as one looks at; and between sweeps nobody looks. */
const mostParts = 32;
/** The epoch was a Thursday; weeks begin on Mondays. */
const firstMonday = 4 * day;

/** One part of the time, while it is added up. */
interface Part {
  readonly from: Millis;
  sweeps: number;
  found: number;
  ended: number;
  gone: number;
  wasted: Spent;
}

/** How waste went over time, in parts that calendars have. */
export function trendOf(
  pasts: readonly Past[],
  { starts, period }: { starts: readonly Millis[]; period: Period | undefined },
): History['trend'] {
  if (!period) return { stepMs: day, wastedBefore: toUsage(nothing), points: [] };
  const step = stepFor(period, Math.min(mostParts, starts.length));
  const begin = floor(period.from, step);
  const parts = Array.from({ length: (floor(period.to, step) - begin) / step + 1 }, (_, index): Part => {
    const from = begin + index * step;
    return { from, sweeps: 0, found: 0, ended: 0, gone: 0, wasted: nothing };
  });
  const indexOf = (at: Millis) => Math.min(Math.max(Math.floor((at - begin) / step), 0), parts.length - 1);
  const at = (time: Millis) => parts[indexOf(time)] as Part;

  for (const start of starts) at(start).sweeps++;
  let before = nothing;
  for (const { firstSeenAt, fate, until, last } of pasts) {
    at(firstSeenAt).found++;
    // The kubelet's clock is another one.
    const leftAt = Math.max(until, firstSeenAt);
    if (fate === 'Ended') at(leftAt).ended++;
    if (fate === 'Gone') at(leftAt).gone++;
    const since = last.mainsEndedAt;
    before = add(before, spend(last.requests, overlap(since, until, -Infinity, begin)));
    for (let index = indexOf(since); index <= indexOf(until); index++) {
      const part = parts[index] as Part;
      const to = index === parts.length - 1 ? Infinity : part.from + step;
      part.wasted = add(part.wasted, spend(last.requests, overlap(since, until, part.from, to)));
    }
  }
  return { stepMs: step, wastedBefore: toUsage(before), points: pointsOf(parts) };
}

function pointsOf(parts: readonly Part[]): readonly TrendPoint[] {
  let stuck = 0;
  return parts.map(({ from, sweeps, found, ended, gone, wasted }) => {
    stuck += found - ended - gone;
    return { from: iso(from), sweeps, found, ended, gone, stuck, wasted: toUsage(wasted) };
  });
}

function stepFor({ from, to }: Period, parts: number): Millis {
  const least = (to - from) / parts;
  return steps.find((step) => step >= least) ?? 4 * week * Math.ceil(least / (4 * week));
}

function floor(time: Millis, step: Millis): Millis {
  const offset = step >= week ? firstMonday : 0;
  return Math.floor((time - offset) / step) * step + offset;
}

function overlap(from: Millis, to: Millis, since: Millis, until: Millis): Millis {
  return Math.max(Math.min(to, until) - Math.max(from, since), 0);
}
