import type { Swept } from './sweeps.ts';

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
