import { hostname } from 'node:os';
import type { OpenCluster } from '../kube/cluster.ts';
import type { Lock, LockOptions } from '../lock/lock.ts';
import type { LeaseRef } from '../model/ports.ts';
import type { Facts } from '../model/reading.ts';
import { type Millis, systemClock } from '../util/time.ts';
import { defaults, type FlagsOf, type GivenFlags } from './flags.ts';
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
  const impersonated = flags.as ? { user: flags.as, groups: [] } : found.user.impersonated;
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

type LockFlags = Pick<FlagsOf<'sweep'>, 'lock' | 'noLock'>;

/** By default, the namespace of the sweeper's pod, or the one in which the manifests install it. */
export function lockNamespace({ lock, noLock }: LockFlags, env: Io['env']): string | undefined {
  return noLock ? undefined : (lock ?? ownPod(env)?.namespace ?? 'sidecar-sweeper');
}

/** Where sweeps and their shards leave notes for each other. */
export function notesLease(flags: LockFlags, env: Io['env']): LeaseRef | undefined {
  const namespace = lockNamespace(flags, env);
  return namespace === undefined ? undefined : { namespace, name: 'sidecar-sweeper-learnt' };
}

const withoutLease = { kind: 'Taken', release: async () => undefined } as const;

/** A dry run needs no Lease, because it changes nothing. */
export async function takeLease(
  flags: LockFlags & Pick<FlagsOf<'sweep'>, 'dryRun'>,
  env: Io['env'],
  runId: string,
  options: Pick<LockOptions, 'leases' | 'shard' | 'stop' | 'onLost' | 'onUnlocked'>,
): Promise<Exclude<Lock, { readonly kind: 'Unlocked' }>> {
  const namespace = lockNamespace(flags, env);
  if (flags.dryRun || namespace === undefined) return withoutLease;
  const { takeLock } = await import('../lock/lock.ts');
  const lock = await takeLock({
    ...options,
    clock: systemClock,
    random: Math.random,
    lease: { namespace, name: 'sidecar-sweeper' },
    holder: `${processName(env)}_${runId}`,
  });
  if (lock.kind !== 'Unlocked') return lock;
  // If the default namespace does not exist, no sweeper is installed that this sweep could disturb.
  if (lock.problem.kind !== 'NotFound' || flags.lock !== undefined) options.onUnlocked(lock.problem);
  return withoutLease;
}
