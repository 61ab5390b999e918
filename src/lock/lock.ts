import type { Clock, Lease, LeaseRef, Leases, LeaseWrite } from '../ports.ts';
import type { Millis, Problem } from '../vocabulary.ts';
import { judgeLease } from './judge-lease.ts';

export interface LockOptions {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly lease: LeaseRef;
  /** Who we are, for others to read. */
  readonly holder: string;
  /** Called once when another one may have the lease: from then on nothing must be sent any more. */
  readonly onLost: () => void;
  /** Called once when we may not renew it, which makes two sweeps at once possible. */
  readonly onUnlocked: (problem: Problem) => void;
}

export type Lock =
  | { readonly kind: 'Taken'; release(): Promise<void> }
  | { readonly kind: 'Held'; readonly holder: string; readonly until: Millis }
  /** Nobody keeps two sweeps apart here: there is no such namespace, or the lease cannot be written. */
  | { readonly kind: 'Unlocked'; readonly problem: Problem };

/** How long the lease outlives a holder that was killed. */
const duration: Millis = 60_000;
const renewEvery: Millis = 15_000;
const timeToAnswer: Millis = 5_000;

/** Takes the lease if nobody has it, and keeps it by renewing it until it is released. */
export async function takeLock(options: LockOptions): Promise<Lock> {
  const taken = await acquire(options);
  return taken.kind === 'Written' ? keep(taken.lease, options) : taken;
}

type Acquired = Exclude<Lock, { kind: 'Taken' }> | { readonly kind: 'Written'; readonly lease: Lease };

async function acquire({ leases, lease, holder }: LockOptions): Promise<Acquired> {
  const created = await leases.createLease(lease, { holder, duration }, soon());
  if (created.kind !== 'Conflict') return orUnlocked(created);
  // It is there already: only the server's state says whether its holder is.
  const reading = await leases.readLease(lease, soon());
  if (reading.kind === 'Unreadable') return { kind: 'Unlocked', problem: reading.problem };
  const verdict = judgeLease(reading.lease, reading.asOf);
  if (verdict.kind === 'Held') return verdict;
  const ours: Lease = { ...reading.lease, holder, duration, renewedAt: reading.asOf };
  const updated = await leases.updateLease(lease, ours, soon());
  // Of two that find the lease free, the server lets one write.
  if (updated.kind === 'Conflict') {
    return { kind: 'Held', holder: 'another sweep', until: reading.asOf + duration };
  }
  return orUnlocked(updated);
}

function orUnlocked(write: Exclude<LeaseWrite, { kind: 'Conflict' }>): Acquired {
  return write.kind === 'Written' ? write : { kind: 'Unlocked', problem: write.problem };
}

function keep(first: Lease, { leases, lease, holder, clock, onLost, onUnlocked }: LockOptions): Lock {
  const released = new AbortController();
  const serverIsAhead = first.renewedAt - clock.now();
  let current = first;
  let renewedAt = clock.now();

  async function renew(): Promise<void> {
    for (;;) {
      await clock.sleep(renewEvery, released.signal);
      if (released.signal.aborted) return;
      const now = clock.now();
      const written = await leases.updateLease(lease, { ...current, renewedAt: now + serverIsAhead }, soon());
      if (written.kind === 'Written') {
        current = written.lease;
        renewedAt = now;
      } else if (written.kind === 'Failed' && written.problem.kind === 'Forbidden') {
        return onUnlocked(written.problem);
      } else if (written.kind === 'Conflict' && !(await isStillOurs())) {
        return onLost();
      }
      // The server may only be busy; but before the lease runs out we must be gone.
      if (clock.now() - renewedAt > duration - renewEvery - timeToAnswer) return onLost();
    }
  }

  /** A write of ours that was not answered may have taken place, and be what the next one conflicts with. */
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
