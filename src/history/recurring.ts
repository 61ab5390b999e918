import type { History } from '../report/history/schema.ts';
import { iso } from '../report/times.ts';
import { fatesOf, groupBy, stuckSince } from './group.ts';
import { instanceOf, type Past } from './past.ts';
import { type Terms, workloadOf } from './terms.ts';

/** What got stuck again and again on the same sidecar, the most often first. */
export function recurringOf(pasts: readonly Past[], { clusters, prices }: Terms): History['recurring'] {
  const groups = groupBy(pasts, (past) =>
    past.sidecars.map(({ name, image }) => ({ ...workloadOf(past, clusters), sidecar: name, image })),
  );
  return groups
    .flatMap(({ of, pasts: found }) => {
      const times = new Set(found.map(instanceOf)).size;
      if (times < 2) return [];
      return [
        {
          ...of,
          ...fatesOf(found, prices),
          times,
          firstAt: iso(stuckSince(found)),
          lastAt: iso(found.reduce((latest, { last }) => Math.max(latest, last.mainsEndedAt), 0)),
        },
      ];
    })
    .sort((a, b) => b.times - a.times || b.pods - a.pods);
}
