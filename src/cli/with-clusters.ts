import type { Connection } from '../kube/kubeconfig/connection.ts';
import { createSlots } from '../slots.ts';
import { UsageError } from '../usage-error.ts';
import type { StopReason } from '../vocabulary/not-attempted-reason.ts';
import { areSeveral, type ClustersFlags } from './flags/connection.ts';
import { complain } from './output.ts';
import type { Surroundings } from './surroundings.ts';
import { type Limits, type Use, withCluster, withConnection } from './with-cluster.ts';

/** What to do with each of several clusters. */
export interface ForEach<T> {
  readonly use: Use<T>;
  /** One of no use is an entry among the others. */
  unusable(context: string, problem: string): T;
  /** Told of all contexts first, if they wait for each other: then none has to wait for its turn. */
  readonly together?: ((contexts: readonly string[]) => void) | undefined;
}

/** Each of them takes memory and sockets of its own. */
const clustersAtOnce = 10;

/** Opens the clusters of all contexts that the flags name, side by side, each with bounds of its own. Throws UsageError. */
export async function withClusters<T>(
  flags: ClustersFlags & Limits,
  surroundings: Surroundings,
  { use, unusable, together }: ForEach<T>,
): Promise<readonly T[]> {
  const { context: contexts = [], ...rest } = flags;
  if (!areSeveral(flags)) {
    const [context] = contexts;
    return [await withCluster({ ...rest, ...(context !== undefined && { context }) }, surroundings, use)];
  }
  const { loadConfigs } = await import('../kube/kubeconfig/config.ts');
  const { env } = surroundings;
  const named = loadConfigs(flags.allContexts ? 'All' : contexts, { ...rest, env });
  for (const one of named) {
    if (one.kind !== 'Repeated') continue;
    await complain(surroundings, `left out the context "${one.context}": its server is that of "${one.as}"`);
  }
  const loaded = named.filter((one) => one.kind !== 'Repeated');
  const all = shareStop(surroundings);
  together?.(loaded.map((one) => (one.kind === 'Usable' ? one.connection.context : one.context)));
  const atOnce = createSlots(together ? loaded.length : clustersAtOnce);
  const entered = loaded.map((one) =>
    atOnce(async (): Promise<T> => {
      switch (one.kind) {
        case 'Unusable':
          return unusable(one.context, one.problem);
        case 'Usable':
          return useOrTell(one.connection);
      }
    }),
  );
  return Promise.all(entered);

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
 * Stops the work in each cluster, also in those whose turn comes later. The process listens once, however many they are.
 */
function shareStop(surroundings: Surroundings): Surroundings {
  const callbacks: ((reason: StopReason) => void)[] = [];
  let stopped: StopReason | undefined;
  surroundings.onStop((reason) => {
    stopped ??= reason;
    for (const callback of callbacks) callback(reason);
  });
  return {
    ...surroundings,
    onStop(callback) {
      callbacks.push(callback);
      if (stopped) callback(stopped);
    },
  };
}
