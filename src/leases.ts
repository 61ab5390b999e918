import type { Millis } from './duration.ts';
import type { Problem } from './model/observation.ts';

/** Leases, one of which keeps two sweeps of a cluster from running at once. */
export interface Leases {
  createLease(
    ref: LeaseRef,
    lease: Pick<Lease, 'holder' | 'duration'>,
    abort: AbortSignal,
  ): Promise<LeaseWrite>;
  readLease(ref: LeaseRef, abort: AbortSignal): Promise<LeaseReading>;
  updateLease(ref: LeaseRef, lease: Lease, abort: AbortSignal): Promise<LeaseWrite>;
}

export interface LeaseRef {
  readonly namespace: string;
  readonly name: string;
}

export interface Lease {
  /** Empty if it is free. */
  readonly holder: string;
  readonly duration: Millis;
  /** By the server's clock; undefined if missing. */
  readonly renewedAt: Millis | undefined;
  readonly resourceVersion: string;
}

export type LeaseReading =
  | { readonly kind: 'Present'; readonly lease: Lease; readonly asOf: Millis | undefined }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export type LeaseWrite =
  | { readonly kind: 'Written'; readonly lease: Lease }
  /** Another process has created or updated it. */
  | { readonly kind: 'Conflict' }
  | { readonly kind: 'Failed'; readonly problem: Problem };

/** A short text that outlives a sweep, for the next one to read. */
export interface Notebook {
  /** Undefined if there is none yet, or it cannot be read. */
  read(abort: AbortSignal): Promise<{ readonly text: string; readonly version: string } | undefined>;
  /** Replaces the text that was read, or begins one; a Conflict if another client has written in between. */
  write(
    text: string,
    version: string | undefined,
    abort: AbortSignal,
  ): Promise<'Written' | 'Conflict' | 'Failed'>;
}
