import { defaults } from '../defaults.ts';
import { type Millis, parseDuration } from '../duration.ts';
import { type OpenCluster, openCluster } from '../kube/cluster.ts';
import { loadConfig } from '../kube/kubeconfig/config.ts';
import { onAbort } from '../on-abort.ts';
import { UsageError } from '../usage-error.ts';
import type { StopReason } from './contract.ts';
import type { ClusterOptions } from './options.ts';

/** The cluster and the signal that a library's user names. */
export interface Session {
  readonly cluster: OpenCluster;
  readonly concurrency: number;
  /** Aborted with the reason that reports give. */
  readonly stop: AbortSignal;
}

/** Opens the cluster for some work, and closes it afterwards, whatever happens. Throws a UsageError. */
export async function withSession<T>(
  options: ClusterOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { kubeconfig, context, env = process.env, concurrency = defaults.concurrency } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new UsageError('concurrency must be a whole number from 1');
  }
  const requestTimeout = timeoutOf(options);
  const cluster = await openCluster(loadConfig({ kubeconfig, context, env }), requestTimeout);
  const stopping = new AbortController();
  const { stop } = options;
  const leave = stop && onAbort(stop, () => stopping.abort(reasonOf(stop)));
  try {
    return await work({ cluster, concurrency, stop: stopping.signal });
  } finally {
    leave?.();
    await cluster.close();
  }
}

function timeoutOf({ requestTimeout }: ClusterOptions): Millis {
  if (requestTimeout === undefined) return defaults.requestTimeout;
  const timeout = parseDuration(requestTimeout);
  if (!timeout) throw new UsageError('requestTimeout must be a duration such as 30s');
  return timeout;
}

function reasonOf({ reason }: AbortSignal): StopReason {
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'Deadline' : 'Signal';
}
