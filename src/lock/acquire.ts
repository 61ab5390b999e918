import type { Lease, LeaseReading, LeaseRef, Leases, LeaseWrite } from '../model/ports.ts';
import type { Problem } from '../model/reading.ts';
import { onAbort } from '../util/concurrency.ts';
import { Retries, type RetryTiming } from '../util/retry.ts';
import type { Clock, Millis } from '../util/time.ts';
import { type Claimant, claimed, firstClaim, judgeLease } from './claim.ts';

export interface AcquireOptions extends RetryTiming, Claimant {
  readonly leases: Leases;
  readonly lease: LeaseRef;
  readonly stop: AbortSignal;
}

export type Acquired =
  /** It was asked for at this time by our clock: it lasts no shorter than from then. */
  | { readonly kind: 'Written'; readonly lease: Lease; readonly asked: Millis }
  | { readonly kind: 'Occupied'; readonly holder: string }
  /** Nothing keeps two sweeps apart here: the namespace does not exist, or the account may not write leases. */
  | { readonly kind: 'Unlocked'; readonly problem: Problem }
  /** Another sweep may hold it, for all that is known. */
  | { readonly kind: 'Unknown'; readonly problem: Problem };

/** How long the lease outlives a holder that was killed. */
const duration: Millis = 60_000;
export const timeToAnswer: Millis = 5_000;

type Failure = Extract<LeaseWrite | LeaseReading, { readonly problem: Problem }>;

/** Whether no retry would show who holds the lease. */
const leavesUnlocked = ({ kind }: Problem) => kind === 'Forbidden' || kind === 'NotFound';

/** A lease that cannot be read is not a free one. A write without an answer may have taken place, so that it may be ours. */
export async function acquire(options: AcquireOptions): Promise<Acquired> {
  const { stop } = options;
  const retries = new Retries(options);
  for (;;) {
    const tried = await tryOnce(options);
    if (tried.kind !== 'Failed' && tried.kind !== 'Unreadable') return tried;
    const isLate = tried.problem.kind === 'Interrupted' && !stop.aborted;
    const problem = isLate ? timedOut : tried.problem;
    if (leavesUnlocked(problem)) return { kind: 'Unlocked', problem };
    if (!problem.isFleeting || !(await retries.again(stop))) return { kind: 'Unknown', problem };
  }
}

/** A request that is interrupted while the sweep continues has taken too long. */
const timedOut: Problem = {
  kind: 'TimedOut',
  message: `no answer within ${timeToAnswer / 1000}s`,
  isFleeting: true,
};

const stopped: Failure = {
  kind: 'Unreadable',
  problem: { kind: 'Interrupted', message: 'the sweep was stopped' },
};

async function tryOnce(options: AcquireOptions): Promise<Acquired | Failure> {
  const { leases, lease, clock, stop } = options;
  let asked = clock.now();
  const created = await within(timeToAnswer, options, (abort) =>
    leases.createLease(lease, { ...firstClaim(options), duration }, abort),
  );
  if (created.kind === 'Written') return { ...created, asked };
  if (created.kind === 'Failed' && created.problem.kind !== 'Forbidden') return created;
  if (stop.aborted) return stopped;
  // Only its contents show whether it is held. An account that may not create it may still be allowed to read them.
  let reading = await read(options);
  if (reading.kind === 'Unreadable') {
    return created.kind === 'Failed' && leavesUnlocked(reading.problem) ? created : whenItExists(reading);
  }
  let verdict = judgeLease(reading.lease, reading.asOf, options);
  if (verdict.kind === 'AgeUnknown') {
    // Without the server's time, or with a renewal in the future, the lease counts as free if it does not change for as long as it lasts.
    const { resourceVersion } = reading.lease;
    await clock.sleep(Math.max(reading.lease.duration, duration), stop);
    if (stop.aborted) return stopped;
    asked = clock.now();
    reading = await read(options);
    if (reading.kind === 'Unreadable') return whenItExists(reading);
    const isRenewed = reading.lease.resourceVersion !== resourceVersion;
    verdict = isRenewed ? { kind: 'Occupied', holder: verdict.holder } : { kind: 'Free' };
  }
  if (verdict.kind === 'Occupied') return verdict;
  if (stop.aborted) return stopped;
  const ours = { ...claimed(reading.lease, options, reading.asOf ?? asked), duration };
  const updated = await within(timeToAnswer, options, (abort) => leases.updateLease(lease, ours, abort));
  switch (updated.kind) {
    case 'Written':
      return { ...updated, asked };
    case 'Conflict':
      // If two sweeps find the lease free, the server lets one of them write; the other one sees who.
      return changing;
    case 'Failed':
      return whenItExists(updated);
  }
}

/** Reading it again helps, but the number of reads is limited: a server may answer every write with a conflict. */
const changing: Failure = {
  kind: 'Unreadable',
  problem: { kind: 'Rejected', message: 'the Lease changed while it was being taken', isFleeting: true },
};

/** A lease that was there, and is not found, has been deleted: that says nothing of its namespace. */
function whenItExists(failure: Failure): Failure {
  return failure.problem.kind === 'NotFound' ? changing : failure;
}

function read(options: AcquireOptions): Promise<LeaseReading> {
  const { leases, lease } = options;
  return within(timeToAnswer, options, (abort) => leases.readLease(lease, abort));
}

/** A sweep that was stopped has its report to write: what is not answered by then is left, and the lease runs out by itself. */
const timeAfterStop: Millis = 1_000;

/** Aborts the work when the time is over, or soon after the sweep was stopped. */
export async function within<T>(
  time: Millis,
  { clock, stop }: { readonly clock: Clock; readonly stop: AbortSignal },
  work: (abort: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  const abortAfter = (left: Millis) => void clock.sleep(left, done.signal).then(() => late.abort());
  abortAfter(time);
  const leave = onAbort(stop, () => abortAfter(timeAfterStop));
  try {
    return await work(late.signal);
  } finally {
    leave();
    done.abort();
  }
}
