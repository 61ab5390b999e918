import type { Millis } from '../duration.ts';
import type { OpenCluster } from '../kube/cluster.ts';
import type { ConnectionFlags } from './flags/connection.ts';
import { createStop, type Stop } from './stop.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Opens the cluster that the flags name, and closes it after the work, even if that fails. SIGTERM, SIGINT or
 * the deadline stops the work. The code that talks to clusters is loaded only here, because help and usage
 * errors do not need it. Throws UsageError.
 */
export async function withCluster<T>(
  flags: ConnectionFlags & { readonly deadline?: Millis },
  surroundings: Surroundings,
  use: (cluster: OpenCluster, stop: Stop) => Promise<T>,
): Promise<T> {
  const { loadConfig } = await import('../kube/kubeconfig/config.ts');
  const { openCluster } = await import('../kube/cluster.ts');
  const config = loadConfig({ ...flags, env: surroundings.env });
  const cluster = await openCluster(config, flags.requestTimeout, { prompt: promptOn(surroundings) });
  const stop = createStop(flags.deadline, surroundings);
  try {
    return await use(cluster, stop);
  } finally {
    stop.clear();
    await cluster.close();
  }
}

/** Shows what a credential plugin asks; undefined if nobody can answer. */
function promptOn({ stdin, stderr }: Surroundings): ((text: string) => void) | undefined {
  return stdin.isTTY ? (text) => stderr.write(text) : undefined;
}
