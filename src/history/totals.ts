import { countKinds } from '../report/counts.ts';
import type { History } from '../report/history/schema.ts';
import { hasNone } from '../report/resources.ts';
import { fatesOf, wastedBy } from './group.ts';
import type { Past } from './past.ts';
import { reclaimedBy } from './reclaimed.ts';
import { add, nothing, type Prices, toUsage } from './spent.ts';
import { lastSweeps, type Swept } from './sweeps.ts';

export function totalsOf(pasts: readonly Past[], swept: readonly Swept[], prices: Prices): History['totals'] {
  const still = pasts.filter(({ fate }) => fate === 'Stuck');
  return {
    ...fatesOf(pasts, prices),
    reclaimed: toUsage(reclaimedBy(pasts, lastSweeps(swept)), prices),
    wastedByStuck: toUsage(wastedBy(still), prices),
    reserved: still.reduce((sum, { last }) => add(sum, last.requests), nothing),
    withoutRequests: pasts.filter(({ last }) => hasNone(last.requests)).length,
    harm: countKinds(pasts.flatMap(({ harm }) => harm ?? [])),
  };
}
