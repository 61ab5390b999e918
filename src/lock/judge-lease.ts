import type { Lease } from '../ports.ts';
import type { Millis } from '../vocabulary.ts';

/** What the state of the lease means for somebody who wants it. */
export type LeaseVerdict =
  | { readonly kind: 'Free' }
  | { readonly kind: 'Held'; readonly holder: string; readonly until: Millis };

/**
 * Whether somebody has the lease: named, and renewed not longer ago than it lasts. All times are the server's, as
 * whoever wrote them took them from there.
 */
export function judgeLease({ holder, renewedAt, duration }: Lease, now: Millis): LeaseVerdict {
  const until = renewedAt + duration;
  // Written so that a time that cannot be read leaves the lease to nobody.
  return holder !== '' && now < until ? { kind: 'Held', holder, until } : { kind: 'Free' };
}
