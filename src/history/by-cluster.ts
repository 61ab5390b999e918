import type { KnownCluster } from '../report/clusters.ts';
import type { History } from '../report/history/schema.ts';
import { iso } from '../report/times.ts';
import { fatesOf, worstFirst } from './group.ts';
import type { Past } from './past.ts';
import { periodOf, type Swept, startsOf } from './sweeps.ts';

/** What was swept, and how it went. */
export function clustersOf(pasts: readonly Past[], swept: readonly Swept[]): History['clusters'] {
  const byId = new Map<string, { readonly cluster: KnownCluster; readonly swept: Swept[] }>();
  for (const sweep of swept) {
    const { cluster } = sweep;
    const entry = byId.get(cluster.id) ?? { cluster, swept: [] };
    entry.swept.push(sweep);
    byId.set(cluster.id, entry);
  }
  return worstFirst(
    [...byId.values()].flatMap(({ cluster: { id, ...cluster }, swept: own }) => {
      const period = periodOf(own);
      const found = pasts.filter((past) => past.cluster.id === id);
      return period
        ? [
            {
              ...cluster,
              ...fatesOf(found),
              sweeps: startsOf(own).length,
              from: iso(period.from),
              to: iso(period.to),
            },
          ]
        : [];
    }),
  );
}
