import type { History } from '../report/history/schema.ts';
import { iso } from '../report/times.ts';
import type { KnownCluster } from './clusters.ts';
import { fatesOf, worstFirst } from './group.ts';
import type { Past } from './past.ts';
import { periodOf, type Swept, startsOf } from './sweeps.ts';
import type { Terms } from './terms.ts';

/** What was swept, and how it went. */
export function clustersOf(
  pasts: readonly Past[],
  swept: readonly Swept[],
  { clusters, prices }: Terms,
): History['clusters'] {
  const byName = new Map<string, { readonly cluster: KnownCluster; readonly swept: Swept[] }>();
  for (const sweep of swept) {
    const cluster = clusters.of(sweep);
    const entry = byName.get(cluster.name) ?? { cluster, swept: [] };
    entry.swept.push(sweep);
    byName.set(cluster.name, entry);
  }
  return worstFirst(
    [...byName.values()].flatMap(({ cluster, swept: own }) => {
      const period = periodOf(own);
      const found = pasts.filter(({ server }) => server === cluster.server);
      return period
        ? [
            {
              ...cluster,
              ...fatesOf(found, prices),
              sweeps: startsOf(own).length,
              from: iso(period.from),
              to: iso(period.to),
            },
          ]
        : [];
    }),
  );
}
