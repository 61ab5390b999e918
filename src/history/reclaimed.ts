import type { Millis } from '../duration.ts';
import { groupBy, stuckSince } from './group.ts';
import { instanceOf, type Past } from './past.ts';
import { add, nothing, type Spent, spend } from './spent.ts';

/**
 * What the pods that sweeps ended would have gone on reserving: each from its end until the next Job of its
 * origin got stuck or, for those of the last Job, until the last sweep of their cluster. So an origin counts
 * with one Job at a time, however many would have piled up without sweeps.
 */
export function reclaimedBy(pasts: readonly Past[], lastSweeps: ReadonlyMap<string, Millis>): Spent {
  let sum = nothing;
  const origins = groupBy(pasts, ({ server, last: { namespace }, origin }) => [
    { server, namespace, origin },
  ]);
  for (const { of, pasts: ofOrigin } of origins) {
    const starts = groupBy(ofOrigin, (past) => [instanceOf(past)])
      .map((instance) => ({ ...instance, since: stuckSince(instance.pasts) }))
      .sort((a, b) => a.since - b.since);
    starts.forEach(({ pasts: together }, index) => {
      const to = starts[index + 1]?.since ?? lastSweeps.get(of.server) ?? 0;
      for (const { fate, until, last } of together) {
        if (fate === 'Ended') sum = add(sum, spend(last.requests, Math.max(to - until, 0)));
      }
    });
  }
  return sum;
}
