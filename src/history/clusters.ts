import type { History } from '../report/history/schema.ts';
import { iso } from '../report/times.ts';
import { fatesOf, worstFirst } from './group.ts';
import type { Past } from './past.ts';
import { periodOf, type Swept, startsOf } from './sweeps.ts';
import type { Terms } from './terms.ts';

type OfCluster = Pick<Swept, 'context' | 'server'>;

/** A cluster, as reports name it. */
export interface KnownCluster {
  readonly server: string;
  readonly context: string;
  /** Its context; if others have the same one (as within clusters), its server. */
  readonly name: string;
}

/** Clusters by their servers. A report that no server has answered belongs to the one of its context, if there is one. */
export class Clusters {
  readonly #contexts = new Map<string, string>();
  readonly #servers = new Map<string, Set<string>>();

  constructor(all: readonly OfCluster[]) {
    for (const { context, server } of all) {
      if (server === '') continue;
      if (!this.#contexts.has(server)) this.#contexts.set(server, context);
    }
    for (const [server, context] of this.#contexts) {
      this.#servers.set(context, (this.#servers.get(context) ?? new Set()).add(server));
    }
  }

  of({ context, server }: OfCluster): KnownCluster {
    if (server !== '') return this.named(server);
    const [known, ...others] = this.#servers.get(context) ?? [];
    return known !== undefined && others.length === 0
      ? this.named(known)
      : { server, context, name: context };
  }

  named(server: string): KnownCluster {
    const context = this.#contexts.get(server) ?? '';
    const isAlone = this.#servers.get(context)?.size === 1;
    return { server, context, name: isAlone && context !== '' ? context : server };
  }
}

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
