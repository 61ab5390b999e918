import type { OpenCluster } from '../kube/cluster.ts';
import type { ConnectionFlags } from './flags.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Opens the cluster that the flags name. What speaks to clusters is loaded only now, as help and bad usage need none
 * of it. Throws UsageError.
 */
export async function connect(flags: ConnectionFlags, env: Surroundings['env']): Promise<OpenCluster> {
  const { loadConfig } = await import('../kube/config.ts');
  const { openCluster } = await import('../kube/cluster.ts');
  return await openCluster(loadConfig({ ...flags, env }), flags.requestTimeout);
}
