import type { OpenCluster } from '../kube/cluster.ts';
import type { Millis } from '../util/time.ts';
import type { ConnectionFlags } from './flags/connection.ts';
import { complain } from './output.ts';
import { createStop, type Stop } from './stop.ts';
import type { Surroundings } from './surroundings.ts';

export interface Limits {
  readonly deadline?: Millis;
  readonly requestTimeout: Millis;
}

export type Use<T> = (cluster: OpenCluster, stop: Stop) => Promise<T>;

/** How long a person waits for the first answer without a word. */
const wordless: Millis = 5_000;

/**
 * Opens the cluster that the flags name, and closes it after the work, even if that fails. A signal, the
 * deadline or an internal error stops the work. The code that talks to clusters is loaded only here, because help and usage
 * errors do not need it. Throws UsageError.
 */
export async function withCluster<T>(
  flags: ConnectionFlags & Limits,
  surroundings: Surroundings,
  use: Use<T>,
): Promise<T> {
  const { deadline, requestTimeout } = flags;
  const { loadConfig } = await import('../kube/kubeconfig/config.ts');
  const connection = await loadConfig({ ...flags, env: surroundings.env });
  const { openCluster } = await import('../kube/cluster.ts');
  const cluster = await openCluster(connection, requestTimeout, { prompt: promptOn(surroundings) });
  const stop = createStop(deadline, surroundings);
  const waiting = setTimeout(() => tellAwaited(cluster, surroundings), wordless);
  try {
    return await use(cluster, stop);
  } finally {
    clearTimeout(waiting);
    stop.clear();
    await cluster.close();
  }
}

/** Only on a terminal: a log gets the result, which comes within the minute. */
function tellAwaited(cluster: OpenCluster, surroundings: Surroundings): void {
  const awaited = surroundings.stderr.isTTY ? cluster.awaited() : undefined;
  if (awaited !== undefined) void complain(surroundings, `still trying: ${awaited}`);
}

/** Shows what a credential plugin asks; undefined if nobody can answer. */
function promptOn({ stdin, stderr }: Surroundings): ((text: string) => void) | undefined {
  return stdin.isTTY ? (text) => stderr.write(text) : undefined;
}
