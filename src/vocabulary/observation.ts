import type { Millis } from '../duration.ts';
import type { PodView } from './pod.ts';
import type { Problem } from './problem.ts';

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
