import type { Connection } from '../kube/kubeconfig/connection.ts';
import { createSlots } from '../slots.ts';
import { UsageError } from '../usage-error.ts';
import { areSeveral, type ClustersFlags } from './flags/connection.ts';
import { complain } from './output.ts';
import type { Surroundings } from './surroundings.ts';
import { type Limits, type Use, withCluster, withConnection } from './with-cluster.ts';

/** What to do with each of several clusters. */
export interface ForEach<T> {
  readonly use: Use<T>;
  /** One of no use is an entry among the others. */
  unusable(context: string, problem: string): T;
}

/** Each of them takes memory and sockets of its own. */
const clustersAtOnce = 10;

/** Opens the clusters of all contexts that the flags name, side by side, each with bounds of its own. Throws UsageError. */
export async function withClusters<T>(
  flags: ClustersFlags & Limits,
  surroundings: Surroundings,
  { use, unusable }: ForEach<T>,
): Promise<readonly T[]> {
  const { context: contexts = [], ...rest } = flags;
  if (!areSeveral(flags)) {
    const [context] = contexts;
    return [await withCluster({ ...rest, ...(context !== undefined && { context }) }, surroundings, use)];
  }
  const { loadConfigs } = await import('../kube/kubeconfig/config.ts');
  const { env } = surroundings;
  const loaded = loadConfigs(flags.allContexts ? 'All' : contexts, { ...rest, env });
  for (const one of loaded) {
    if (one.kind !== 'Repeated') continue;
    await complain(surroundings, `left out the context "${one.context}": its server is that of "${one.as}"`);
  }
  const all = shareSignals(surroundings);
  const atOnce = createSlots(clustersAtOnce);
  const entered = loaded.map((one) =>
    atOnce(async (): Promise<readonly T[]> => {
      switch (one.kind) {
        case 'Repeated':
          return [];
        case 'Unusable':
          return [unusable(one.context, one.problem)];
        case 'Usable':
          return [await useOrTell(one.connection)];
      }
    }),
  );
  return (await Promise.all(entered)).flat();

  async function useOrTell(connection: Connection): Promise<T> {
    try {
      return await withConnection(connection, flags, all, use);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return unusable(connection.context, error.message);
    }
  }
}

/**
 * Passes a signal on to each cluster, also to those whose turn comes later. The process listens once, however many they are.
 */
function shareSignals(surroundings: Surroundings): Surroundings {
  const callbacks: (() => void)[] = [];
  let isSignalled = false;
  surroundings.onSignal(() => {
    isSignalled = true;
    for (const callback of callbacks) callback();
  });
  return {
    ...surroundings,
    onSignal(callback) {
      callbacks.push(callback);
      if (isSignalled) callback();
    },
  };
}
