import type { Millis } from '../duration.ts';
import type { Fates } from '../report/history/schema.ts';
import type { Past } from './past.ts';
import { add, nothing, type Prices, type Spent, toUsage, weigh } from './spent.ts';

/** Some pods, and what they have in common. */
export interface Group<T> {
  readonly of: T;
  readonly pasts: readonly Past[];
}

/** Groups pods by all that `of` says about them; a pod may be in several groups. */
export function groupBy<T>(pasts: Iterable<Past>, of: (past: Past) => readonly T[]): readonly Group<T>[] {
  const groups = new Map<string, Group<T> & { readonly pasts: Past[] }>();
  for (const past of pasts) {
    for (const one of of(past)) {
      const key = JSON.stringify(one);
      const group = groups.get(key) ?? { of: one, pasts: [] };
      group.pasts.push(past);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

export function fatesOf(pasts: readonly Past[], prices: Prices): Fates {
  const count = (fate: Past['fate']) => pasts.filter((past) => past.fate === fate).length;
  return {
    pods: pasts.length,
    ended: count('Ended'),
    gone: count('Gone'),
    stuck: count('Stuck'),
    wasted: toUsage(wastedBy(pasts), prices),
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
