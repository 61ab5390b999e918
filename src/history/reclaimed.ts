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
  for (const ofOrigin of groupBy(pasts, ({ originKey }) => [originKey]).values()) {
    const instances = [...groupBy(ofOrigin, (past) => [instanceOf(past)]).values()]
      .map((together) => ({ together, since: stuckSince(together) }))
      .sort((a, b) => a.since - b.since);
    for (const [index, { together }] of instances.entries()) {
      const next = instances[index + 1]?.since;
      for (const { cluster, fate, until, last } of together) {
        const to = next ?? lastSweeps.get(cluster.id) ?? until;
        if (fate === 'Ended') sum = add(sum, spend(last.requests, Math.max(to - until, 0)));
      }
    }
  }
  return sum;
}
