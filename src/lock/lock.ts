import type { Problem } from '../model/reading.ts';
import { backOff, Retries } from '../util/retry.ts';
import type { Millis } from '../util/time.ts';
import { type Acquired, type AcquireOptions, acquire, timeToAnswer, within } from './acquire.ts';
import { claimed, isHeldBy, withoutClaim } from './claim.ts';

export interface LockOptions extends AcquireOptions {
  /** Called once when another sweep may have the lease: from then on, nothing must be sent. */
  readonly onLost: () => void;
  /** Called once when we are not allowed to renew it, so that two sweeps may run at once. */
  readonly onUnlocked: (problem: Problem) => void;
}

type Taken = Extract<Acquired, { readonly kind: 'Written' }>;

export type Lock = Exclude<Acquired, Taken> | { readonly kind: 'Taken'; release(): Promise<void> };

const renewEvery: Millis = 15_000;
/** Longer than that without a renewal, and the lease may run out before all that was begun has ended. */
const longestUnrenewed: Millis = 40_000;

/** Takes the lease if it is free, and renews it until it is released. */
export async function takeLock(options: LockOptions): Promise<Lock> {
  const acquired = await acquire(options);
  return acquired.kind === 'Written' ? keep(acquired, options) : acquired;
}

function keep(taken: Taken, options: LockOptions): Lock {
  const { leases, lease, shard, clock, random, onLost, onUnlocked } = options;
  const released = new AbortController();
  // Without the server's clock, ours stands in for it.
  const serverIsAhead = taken.lease.renewedAt === undefined ? 0 : taken.lease.renewedAt - taken.asked;
  let current = taken.lease;
  let renewedAt = taken.asked;

  let tellUnlocked = (problem: Problem) => {
    tellUnlocked = () => undefined;
    onUnlocked(problem);
  };

  const timeLeft = () => renewedAt + longestUnrenewed - clock.now();
  const inTime = <T>(work: (abort: AbortSignal) => Promise<T>) =>
    within(Math.min(timeToAnswer, timeLeft()), options, (abort) =>
      work(AbortSignal.any([abort, released.signal])),
    );

  async function renew(): Promise<void> {
    for (let failures = 0; ; ) {
      const pause = failures === 0 ? renewEvery : backOff(failures, random);
      await clock.sleep(Math.min(pause, timeLeft()), released.signal);
      if (released.signal.aborted) return;
      // The server may only be busy, but we must be gone before the lease runs out.
      if (timeLeft() <= 0) return onLost();
      // Other shards have written it since.
      if (shard && !(await isStillOurs())) return onLost();
      const now = clock.now();
      const renewed = claimed(current, options, now + serverIsAhead);
      const written = await inTime((abort) => leases.updateLease(lease, renewed, abort));
      switch (written.kind) {
        case 'Written':
          current = written.lease;
          renewedAt = now;
          failures = 0;
          break;
        case 'Failed':
          if (written.problem.kind === 'Forbidden') return tellUnlocked(written.problem);
          if (written.problem.kind === 'NotFound') return onLost();
          failures++;
          break;
        case 'Conflict':
          if (!(await isStillOurs())) return onLost();
          failures++;
          break;
      }
    }
  }

  /** A write of ours that was not answered may have taken place, and the next one may conflict with it. */
  async function isStillOurs(): Promise<boolean> {
    await inTime(look);
    return isHeldBy(options, current);
  }

  async function look(abort: AbortSignal): Promise<void> {
    const reading = await leases.readLease(lease, abort);
    if (reading.kind === 'Present') current = reading.lease;
  }

  /** A lease that is not freed keeps all others waiting until it runs out, so one failed request is not the end of it. */
  async function free(late: AbortSignal): Promise<void> {
    const retries = new Retries(options);
    if (shard) await look(late);
    while (isHeldBy(options, current)) {
      const freed = await leases.updateLease(lease, withoutClaim(current, options), late);
      switch (freed.kind) {
        case 'Written':
          return;
        case 'Failed':
          // A sweep that was too short to renew it has not noticed before.
          if (freed.problem.kind === 'Forbidden') tellUnlocked(freed.problem);
          if (!freed.problem.isFleeting) return;
          break;
        case 'Conflict':
          await look(late);
          break;
      }
      if (!(await retries.again(late))) return;
    }
  }

  const renewing = renew();
  return {
    kind: 'Taken',
    async release() {
      released.abort();
      await renewing;
      await within(timeToAnswer, options, free);
    },
  };
}
