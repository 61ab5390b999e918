import type { Millis } from '../duration.ts';
import type { ContainerView } from './container.ts';
import type { Evidence, Statement } from './evidence.ts';
import type { Exclusion } from './exclusion.ts';
import type { Hang } from './hang.ts';
import type { PodView } from './pod.ts';
import type { Remark } from './remark.ts';

export interface JudgedContainer extends Statement {
  readonly container: ContainerView;
}

/** A main container that has ended for good. */
export interface EndedMain {
  readonly name: string;
  readonly image: string;
  readonly because: Evidence;
  readonly exitCode: number;
  readonly endedAt: Millis;
}

export interface Sidecar {
  readonly because: Evidence;
  readonly container: ContainerView;
}

export interface Candidate {
  readonly kind: 'Candidate';
  readonly pod: PodView;
  readonly mains: readonly EndedMain[];
  readonly sidecars: readonly Sidecar[];
  /** When the last main ended; the pod has been stuck since then. */
  readonly mainsEndedAt: Millis;
  readonly remarks: readonly Remark[];
}

/** A pod that is stuck on a sidecar that never started, so there is no process to signal. */
export interface NeverStarted extends Omit<Candidate, 'kind'> {
  readonly kind: 'NeverStarted';
}

/** A pod that is stuck on a sidecar that has ended and cannot start again, as after a swap for an image that is missing. */
export interface NotStartedAgain extends Omit<Candidate, 'kind'> {
  readonly kind: 'NotStartedAgain';
}

export interface Excluded {
  readonly kind: 'Excluded';
  readonly pod: PodView;
  readonly because: readonly Exclusion[];
  readonly remarks: readonly Remark[];
}

/** A pod that hangs for a reason that a sweep does not cure. It is reported, and left alone. */
export interface Hanging extends Omit<Excluded, 'kind'> {
  readonly kind: 'Hanging';
  readonly hang: Hang;
  readonly since: Millis;
}

export type Verdict =
  | Candidate
  | NeverStarted
  | NotStartedAgain
  | Hanging
  | Excluded
  | {
      readonly kind: 'Undecided';
      readonly pod: PodView;
      readonly problem: string;
      /** The stack of an error in judging; undefined if the pod itself is inconsistent. */
      readonly stack?: string | undefined;
    };
