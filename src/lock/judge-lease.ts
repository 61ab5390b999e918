import type { Millis } from '../duration.ts';
import type { Lease } from '../ports.ts';

/** What the state of a lease means for somebody who wants it. */
export type LeaseVerdict =
  | { readonly kind: 'Free' }
  | { readonly kind: 'Occupied'; readonly holder: string }
  /** It has a holder, and nobody says how long ago it was renewed. */
  | { readonly kind: 'AgeUnknown'; readonly holder: string };

/**
 * Whether somebody holds the lease: it has a holder, and was renewed no longer ago than it lasts. All times
 * are the server's, because every holder takes them from there.
 */
export function judgeLease({ holder, renewedAt, duration }: Lease, now: Millis | undefined): LeaseVerdict {
  if (holder === '') return { kind: 'Free' };
  if (renewedAt === undefined || now === undefined) return { kind: 'AgeUnknown', holder };
  return now >= renewedAt + duration ? { kind: 'Free' } : { kind: 'Occupied', holder };
}
