import { takeLock } from '../../lock/lock.ts';
import type { LeaseRef, Leases } from '../../model/ports.ts';
import type { Problem } from '../../model/reading.ts';
import type { Shard } from '../../model/scope.ts';
import { systemClock } from '../../util/time.ts';
import { type LockFlags, usualNamespace } from '../flags/lock.ts';
import { ownPod, whoRuns } from '../own-pod.ts';
import type { Surroundings } from '../surroundings.ts';

/** The namespace of the Lease; undefined if none is taken. */
export function lockNamespace({ lock }: LockFlags, env: Surroundings['env']): string | undefined {
  return lock === false ? undefined : (lock ?? ownPod(env)?.namespace ?? usualNamespace);
}

/** The Lease on which sweeps and their shards leave notes for each other; undefined if no Lease is taken. */
export function notesLease(flags: LockFlags, env: Surroundings['env']): LeaseRef | undefined {
  const namespace = lockNamespace(flags, env);
  return namespace === undefined ? undefined : { namespace, name: 'sidecar-sweeper-learnt' };
}

export type Entry =
  | { readonly kind: 'Entered'; leave(): Promise<void> }
  | { readonly kind: 'Occupied'; readonly holder: string }
  /** Whether another sweep is running is unknown. */
  | { readonly kind: 'Unknown'; readonly problem: Problem };

export interface EntryOptions {
  readonly leases: Leases;
  readonly flags: LockFlags;
  readonly dryRun: boolean;
  readonly shard: Shard | undefined;
  readonly runId: string;
  readonly env: Surroundings['env'];
  readonly stop: AbortSignal;
  /** Called if another sweep may have taken over the Lease. */
  readonly onLost: () => void;
  /** Called if nothing prevents concurrent sweeps. */
  readonly onUnlocked: (problem: Problem) => void;
}

const unlocked: Entry = { kind: 'Entered', leave: async () => undefined };

/** Takes the Lease of the cluster or the shard. A dry run needs none, because it changes nothing. */
export async function enter(options: EntryOptions): Promise<Entry> {
  const { leases, flags, dryRun, shard, runId, env, stop, onLost, onUnlocked } = options;
  const namespace = lockNamespace(flags, env);
  if (dryRun || namespace === undefined) return unlocked;
  const lease: LeaseRef = {
    namespace,
    name: shard ? `sidecar-sweeper-${shard.index}-of-${shard.of}` : 'sidecar-sweeper',
  };
  const holder = `${whoRuns(env)}_${runId}`;
  const lock = await takeLock({
    leases,
    clock: systemClock,
    random: Math.random,
    lease,
    holder,
    stop,
    onLost,
    onUnlocked,
  });
  switch (lock.kind) {
    case 'Taken':
      return { kind: 'Entered', leave: lock.release };
    case 'Occupied':
    case 'Unknown':
      return lock;
    case 'Unlocked':
      // If the default namespace does not exist, no sweeper is installed that this sweep could disturb.
      if (lock.problem.kind !== 'NotFound' || flags.lock) onUnlocked(lock.problem);
      return unlocked;
  }
}
