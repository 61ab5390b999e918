import type { Millis } from '../duration.ts';
import type { Lease } from '../ports.ts';

/** What the state of a lease means for somebody who wants it. */
export type LeaseVerdict = { readonly kind: 'Free' } | { readonly kind: 'Occupied'; readonly holder: string };

/**
 * Whether somebody holds the lease: it has a holder, and was renewed no longer ago than it lasts. All times
 * are the server's, because every holder takes them from there.
 */
export function judgeLease({ holder, renewedAt, duration }: Lease, now: Millis | undefined): LeaseVerdict {
  // A lease of unknown age would otherwise be held for ever.
  const isOver = renewedAt === undefined || now === undefined || now >= renewedAt + duration;
  return holder === '' || isOver ? { kind: 'Free' } : { kind: 'Occupied', holder };
}
