import type { Millis } from '../util/time.ts';
import type { PodView } from './pod.ts';

/** The result of reading a pod. */
export type PodReading =
  | { readonly kind: 'Present'; readonly pod: PodView; readonly asOf: Millis | undefined }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Replaced'; readonly uid: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** What a read of the pod shows about one instance of a container. */
export type Observation =
  | {
      readonly kind: 'Exited';
      readonly exitCode: number;
      readonly signal: number | undefined;
      readonly finishedAt: Millis | undefined;
    }
  | {
      readonly kind: 'Running';
      /** The no-op image is running. */
      readonly swapped?: true;
    }
  /** It ended after an image swap, and the new image does not start. */
  | { readonly kind: 'NotStarted'; readonly reason: string }
  | { readonly kind: 'Restarted'; readonly exitCode: number | undefined; readonly restartCount: number }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Replaced'; readonly uid: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** Why a request failed; `message` is one line for people. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly message: string;
  /** Another try may soon succeed. Missing if waiting does not help. */
  readonly isFleeting?: true;
  /** A proxy or a gateway refused, not the API server: no permission of the account helps. */
  readonly isForeign?: true;
}

export type ProblemKind =
  | 'Unreachable'
  | 'TimedOut'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Rejected'
  | 'Malformed'
  /** Larger than anything of its kind should be. */
  | 'TooLarge'
  | 'Interrupted'
  /** A defect, not an answer of the cluster. */
  | 'InternalError';

/** Continues a list; undefined begins it, and comes with its last page. */
export type PageToken = string | undefined;

/** A part of a list. */
export type ObjectPage<T> =
  | { readonly kind: 'Page'; readonly items: readonly T[]; readonly token: PageToken }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };
