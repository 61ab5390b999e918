import { hostname } from 'node:os';
import type { OpenCluster } from '../kube/cluster.ts';
import type { Facts } from '../model/reading.ts';
import type { Millis } from '../util/time.ts';
import { defaults, type GivenFlags } from './flags.ts';
import { complain, type Io } from './io.ts';
import { createStop, type Stop } from './signals.ts';

type ConnectionFlags = Pick<
  GivenFlags,
  'context' | 'kubeconfig' | 'as' | 'insecureSkipTlsVerify' | 'requestTimeout' | 'deadline'
>;

export type Use<T> = (cluster: OpenCluster, stop: Stop) => Promise<T>;

/** How long a command waits for an answer before it says so on a terminal. */
const quietWait: Millis = 5_000;

/** The code that talks to clusters is loaded here, because help and usage errors do not need it. */
export async function withCluster<T>(flags: ConnectionFlags, io: Io, use: Use<T>): Promise<T> {
  const { deadline, requestTimeout = defaults.requestTimeout } = flags;
  const { loadConfig } = await import('../kube/auth/config.ts');
  const found = await loadConfig({ ...flags, env: io.env });
  const impersonated = flags.as
    ? { user: flags.as, uid: undefined, groups: [], extra: {} }
    : found.user.impersonated;
  const connection = { ...found, user: { ...found.user, impersonated } };
  const { openCluster } = await import('../kube/cluster.ts');
  // A credential plugin asks only where there is a terminal to answer on.
  const prompt = io.stdin.isTTY ? (text: string) => void io.stderr.write(text) : undefined;
  const cluster = await openCluster(connection, requestTimeout, { prompt });
  const stop = createStop(deadline, io);
  const waiting = setTimeout(() => reportWait(cluster, io), quietWait);
  try {
    return await use(cluster, stop);
  } finally {
    clearTimeout(waiting);
    stop.clear();
    await cluster.close();
  }
}

/** Only on a terminal: a log gets the result, which comes within the minute. */
function reportWait(cluster: OpenCluster, io: Io): void {
  const awaited = io.stderr.isTTY ? cluster.awaited() : undefined;
  if (awaited !== undefined) void complain(io, `still trying: ${awaited}`);
}

/** The pod that this process runs in, if the downward API sets POD_NAMESPACE and POD_NAME. */
export function ownPod(env: Io['env']): Facts['self'] {
  const namespace = env['POD_NAMESPACE'];
  const name = env['POD_NAME'];
  return namespace && name ? { namespace, name } : undefined;
}

export function processName(env: Io['env']): string {
  return ownPod(env)?.name ?? hostname();
}
