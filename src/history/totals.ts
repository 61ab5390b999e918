import { countKinds } from '../report/counts.ts';
import type { History } from '../report/history/schema.ts';
import { hasNone } from '../report/resources.ts';
import { fatesOf, wastedBy } from './group.ts';
import type { Past } from './past.ts';
import { reclaimedBy } from './reclaimed.ts';
import { add, nothing, toUsage } from './spent.ts';
import { lastSweeps, type Swept } from './sweeps.ts';

export function totalsOf(pasts: readonly Past[], swept: readonly Swept[]): History['totals'] {
  const still = pasts.filter(({ fate }) => fate === 'Stuck');
  return {
    ...fatesOf(pasts),
    reclaimed: toUsage(reclaimedBy(pasts, lastSweeps(swept))),
    wastedByStuck: toUsage(wastedBy(still)),
    reserved: still.reduce((sum, { last }) => add(sum, last.requests), nothing),
    withoutRequests: pasts.filter(({ last }) => hasNone(last.requests)).length,
    harm: countKinds(pasts.flatMap(({ harm }) => harm ?? [])),
  };
}
