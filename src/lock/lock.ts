import type { Millis } from '../duration.ts';
import type { Clock, Lease, LeaseRef, Leases, LeaseWrite } from '../ports.ts';
import type { Problem } from '../vocabulary.ts';
import { judgeLease } from './judge-lease.ts';

export interface LockOptions {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly lease: LeaseRef;
  /** Who we are, for others to read. */
  readonly holder: string;
  /** Called once when somebody else may have the lease: from then on, nothing must be sent. */
  readonly onLost: () => void;
  /** Called once when we are not allowed to renew it, so that two sweeps may run at once. */
  readonly onUnlocked: (problem: Problem) => void;
}

export type Lock =
  | { readonly kind: 'Taken'; release(): Promise<void> }
  | { readonly kind: 'Occupied'; readonly holder: string }
  /** Nothing keeps two sweeps apart here: the namespace does not exist, or the lease cannot be written. */
  | { readonly kind: 'Unlocked'; readonly problem: Problem };

/** How long the lease outlives a holder that was killed. */
const duration: Millis = 60_000;
const renewEvery: Millis = 15_000;
const timeToAnswer: Millis = 5_000;

/** Takes the lease if nobody holds it, and renews it until it is released. */
export async function takeLock(options: LockOptions): Promise<Lock> {
  const taken = await acquire(options);
  return taken.kind === 'Written' ? keep(taken.lease, options) : taken;
}

type Acquired = Exclude<Lock, { kind: 'Taken' }> | { readonly kind: 'Written'; readonly lease: Lease };

async function acquire({ leases, lease, holder }: LockOptions): Promise<Acquired> {
  const created = await leases.createLease(lease, { holder, duration }, soon());
  if (created.kind !== 'Conflict') return orUnlocked(created);
  // It already exists; only what is in it tells whether somebody holds it.
  const reading = await leases.readLease(lease, soon());
  if (reading.kind === 'Unreadable') return { kind: 'Unlocked', problem: reading.problem };
  const verdict = judgeLease(reading.lease, reading.asOf);
  if (verdict.kind === 'Occupied') return verdict;
  const ours: Lease = { ...reading.lease, holder, duration, renewedAt: reading.asOf };
  const updated = await leases.updateLease(lease, ours, soon());
  // If two sweeps find the lease free, the server lets one of them write.
  return updated.kind === 'Conflict' ? { kind: 'Occupied', holder: 'another sweep' } : orUnlocked(updated);
}

function orUnlocked(write: Exclude<LeaseWrite, { kind: 'Conflict' }>): Acquired {
  return write.kind === 'Written' ? write : { kind: 'Unlocked', problem: write.problem };
}

function keep(first: Lease, { leases, lease, holder, clock, onLost, onUnlocked }: LockOptions): Lock {
  const released = new AbortController();
  const serverIsAhead = first.renewedAt === undefined ? undefined : first.renewedAt - clock.now();
  let current = first;
  let renewedAt = clock.now();

  async function renew(): Promise<void> {
    for (;;) {
      await clock.sleep(renewEvery, released.signal);
      if (released.signal.aborted) return;
      const now = clock.now();
      const serverTime = serverIsAhead === undefined ? undefined : now + serverIsAhead;
      const written = await leases.updateLease(lease, { ...current, renewedAt: serverTime }, soon());
      if (written.kind === 'Written') {
        current = written.lease;
        renewedAt = now;
      } else if (written.kind === 'Failed' && written.problem.kind === 'Forbidden') {
        return onUnlocked(written.problem);
      } else if (written.kind === 'Conflict' && !(await isStillOurs())) {
        return onLost();
      }
      // The server may only be busy, but we must be gone before the lease runs out.
      if (clock.now() - renewedAt > duration - renewEvery - timeToAnswer) return onLost();
    }
  }

  /** A write of ours that was not answered may have taken place, and the next one may conflict with it. */
  async function isStillOurs(): Promise<boolean> {
    const reading = await leases.readLease(lease, soon());
    if (reading.kind === 'Unreadable') return true;
    current = reading.lease;
    return current.holder === holder;
  }

  const renewing = renew();
  return {
    kind: 'Taken',
    async release() {
      released.abort();
      await renewing;
      if (current.holder === holder) await leases.updateLease(lease, { ...current, holder: '' }, soon());
    },
  };
}

function soon(): AbortSignal {
  return AbortSignal.timeout(timeToAnswer);
}
