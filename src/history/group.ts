import type { Millis } from '../duration.ts';
import type { Fates } from '../report/history/schema.ts';
import type { Past } from './past.ts';
import { add, nothing, type Spent, toUsage, weigh } from './spent.ts';

/** Some pods that have something in common. */
export type Pasts = readonly [Past, ...Past[]];

/** Groups pods by the keys that they have; a pod may be in several groups. */
export function groupBy(
  pasts: readonly Past[],
  keysOf: (past: Past) => Iterable<string>,
): ReadonlyMap<string, Pasts> {
  const groups = new Map<string, [Past, ...Past[]]>();
  for (const past of pasts) {
    for (const key of keysOf(past)) {
      const group = groups.get(key);
      if (group) group.push(past);
      else groups.set(key, [past]);
    }
  }
  return groups;
}

export function fatesOf(pasts: readonly Past[]): Fates {
  const fates = { Ended: 0, Gone: 0, Stuck: 0 };
  for (const { fate } of pasts) fates[fate]++;
  return {
    pods: pasts.length,
    ended: fates.Ended,
    gone: fates.Gone,
    stuck: fates.Stuck,
    wasted: toUsage(wastedBy(pasts)),
  };
}

export function wastedBy(pasts: readonly Past[]): Spent {
  return pasts.reduce((sum, { wasted }) => add(sum, wasted), nothing);
}

/** The worst first: by what they wasted, then by how many pods they are. */
export function worstFirst<T extends Pick<Fates, 'wasted'> & { readonly pods?: number }>(
  entries: readonly T[],
): readonly T[] {
  return [...entries].sort((a, b) => weigh(b.wasted) - weigh(a.wasted) || (b.pods ?? 0) - (a.pods ?? 0));
}

/** When the mains of the first of them ended. */
export function stuckSince(pasts: readonly Past[]): Millis {
  return pasts.reduce((least, { last }) => Math.min(least, last.mainsEndedAt), Infinity);
}
