import type { Command } from 'commander';
import { takeLock } from '../lock/lock.ts';
import type { LeaseRef, Leases } from '../ports.ts';
import type { Problem, Shard } from '../vocabulary.ts';
import { systemClock } from './clock.ts';
import { ownPod, whoRuns } from './own-pod.ts';
import type { Surroundings } from './surroundings.ts';

export interface LockFlags {
  /** The namespace of the lease; false for none. */
  readonly lock?: string | false;
}

/** Where the manifests install the sweeper. */
const usualNamespace = 'sidecar-sweeper';

export function addLockFlags(command: Command): Command {
  return command
    .option(
      '--lock <namespace>',
      `where the Lease is that keeps two sweeps apart (default: the pod's namespace, else ${usualNamespace})`,
    )
    .option('--no-lock', 'do not mind other sweeps');
}

/** Where the lease is; undefined for none. */
export function lockNamespace({ lock }: LockFlags, env: Surroundings['env']): string | undefined {
  return lock === false ? undefined : (lock ?? ownPod(env)?.namespace ?? usualNamespace);
}

export type Entry =
  | { readonly kind: 'Entered'; leave(): Promise<void> }
  | { readonly kind: 'Held'; readonly holder: string };

export interface EntryOptions {
  readonly leases: Leases;
  readonly flags: LockFlags;
  readonly dryRun: boolean;
  readonly shard: Shard | undefined;
  readonly runId: string;
  readonly env: Surroundings['env'];
  /** Another sweep may have the lease now. */
  readonly onLost: () => void;
  /** Nothing keeps two sweeps apart. */
  readonly onUnlocked: (problem: Problem) => void;
}

const unlocked: Entry = { kind: 'Entered', leave: async () => undefined };

/** Takes the lease of the cluster, of which every shard has its own; a dry run needs none, as it does nothing. */
export async function enter(options: EntryOptions): Promise<Entry> {
  const { leases, flags, dryRun, shard, runId, env, onLost, onUnlocked } = options;
  const namespace = lockNamespace(flags, env);
  if (dryRun || namespace === undefined) return unlocked;
  const lease: LeaseRef = {
    namespace,
    name: shard ? `sidecar-sweeper-${shard.index}-of-${shard.of}` : 'sidecar-sweeper',
  };
  const holder = `${whoRuns(env)}_${runId}`;
  const lock = await takeLock({ leases, clock: systemClock, lease, holder, onLost, onUnlocked });
  switch (lock.kind) {
    case 'Taken':
      return { kind: 'Entered', leave: lock.release };
    case 'Held':
      return lock;
    case 'Unlocked':
      // Without the namespace nothing is installed that one could get in the way of, unless --lock says where.
      if (lock.problem.kind !== 'NotFound' || flags.lock) onUnlocked(lock.problem);
      return unlocked;
  }
}
