import type { Lease, LeaseHold } from '../model/ports.ts';
import type { Shard } from '../model/scope.ts';
import type { Millis } from '../util/time.ts';

/**
 * Who takes a lease: a whole sweep, or one of several shards that hold it together. Shards of the same number share no pods, so
 * they may run side by side; a whole sweep, and shards of another number, share pods with them and stay out. See docs/internals/protocols.md.
 */
export interface Claimant {
  readonly holder: string;
  readonly shard?: Shard | undefined;
}

export type LeaseVerdict =
  | { readonly kind: 'Free' }
  | { readonly kind: 'Occupied'; readonly holder: string }
  /** It has a holder, and it is unknown how long ago it was renewed. */
  | { readonly kind: 'AgeUnknown'; readonly holder: string };

/** All times are the API server's, because every holder uses its clock. */
export function judgeLease(lease: Lease, now: Millis | undefined, claimant: Claimant): LeaseVerdict {
  const others = holdsAgainst(lease, claimant);
  const isOver = ({ renewedAt }: LeaseHold) =>
    renewedAt !== undefined && now !== undefined && now >= renewedAt + lease.duration;
  const [first] = others.filter((hold) => !isOver(hold));
  if (!first) return { kind: 'Free' };
  // If the server's clock was ahead, a dead sweep must not keep all others out until that time has come. A live one is seen to renew.
  const isKnown =
    first.renewedAt !== undefined && now !== undefined && first.renewedAt <= now + lease.duration;
  return { kind: isKnown ? 'Occupied' : 'AgeUnknown', holder: first.holder };
}

function holdsAgainst(lease: Lease, claimant: Claimant): readonly LeaseHold[] {
  const { holder, renewedAt } = lease;
  const { shard } = claimant;
  if (holder === '') return [];
  const holds = Object.entries(holdsOf(lease));
  const isShared = holds.length > 0;
  if (!isShared) return holder === claimant.holder ? [] : [{ holder, renewedAt }];
  return holds
    .filter(([index]) => !isOfSameRun(lease, shard) || index === String(shard?.index))
    .filter(([, hold]) => hold.holder !== claimant.holder)
    .map(([, hold]) => ({ ...hold, holder: `${hold.holder} (one of ${holder})` }));
}

function isOfSameRun({ holder }: Pick<Lease, 'holder'>, shard: Shard | undefined): boolean {
  return shard !== undefined && holder === nameOfRun(shard);
}

function nameOfRun({ of }: Shard): string {
  return `${of} shards`;
}

/** The holds of all shards. A shard that only created the lease has no time of its own: the lease's applies. */
function holdsOf({ shards = {}, renewedAt }: Lease): Readonly<Record<string, LeaseHold>> {
  const timed = (hold: LeaseHold) => ({ ...hold, renewedAt: hold.renewedAt ?? renewedAt });
  return Object.fromEntries(Object.entries(shards).map(([index, hold]) => [index, timed(hold)]));
}

export function isHeldBy({ holder, shard }: Claimant, lease: Lease): boolean {
  if (!shard) return lease.holder === holder;
  return isOfSameRun(lease, shard) && lease.shards?.[shard.index]?.holder === holder;
}

export function firstClaim({ holder, shard }: Claimant): Pick<Lease, 'holder' | 'shards'> {
  if (!shard) return { holder };
  return { holder: nameOfRun(shard), shards: { [shard.index]: { holder, renewedAt: undefined } } };
}

/** The lease once the claimant holds it, and its other shards as before. */
export function claimed(lease: Lease, { holder, shard }: Claimant, renewedAt: Millis): Lease {
  if (!shard) return { ...withoutShards(lease), holder, renewedAt };
  const others = isOfSameRun(lease, shard) ? holdsOf(lease) : {};
  const shards = { ...others, [shard.index]: { holder, renewedAt } };
  return { ...lease, holder: nameOfRun(shard), renewedAt, shards };
}

/** The lease without the claimant: free, unless other shards hold it. */
export function withoutClaim(lease: Lease, { shard }: Claimant): Lease {
  const others = Object.entries(holdsOf(lease)).filter(([index]) => index !== String(shard?.index));
  if (!shard || others.length === 0) return { ...withoutShards(lease), holder: '' };
  return { ...lease, shards: Object.fromEntries(others) };
}

function withoutShards({ shards: _, ...lease }: Lease): Lease {
  return lease;
}
