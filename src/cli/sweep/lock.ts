import { type Lock, type LockOptions, takeLock } from '../../lock/lock.ts';
import type { LeaseRef } from '../../model/ports.ts';
import { systemClock } from '../../util/time.ts';
import { ownPod, processName } from '../cluster.ts';
import type { FlagsOf } from '../flags.ts';
import type { Io } from '../io.ts';

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
