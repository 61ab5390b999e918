import type { Attempt } from '../events.ts';
import type { ContainerOutcome, PodReading } from '../vocabulary.ts';
import type { Watched } from './wait/observation.ts';

/** What came of a step: the one fact that sending, waiting and driving hand on. */
export type Taken =
  /** The request was made, or held back. */
  | {
      readonly kind: 'Attempted';
      readonly attempt: Attempt;
      /** The containers that it was for. */
      readonly watched: readonly Watched[];
      /** The last read after it; undefined if there was nothing to wait for, or no read. */
      readonly reading: PodReading | undefined;
    }
  /** Nothing was sent: the containers no longer run. */
  | { readonly kind: 'Overtaken'; readonly reading: PodReading }
  /** Nothing was sent: the pod is not what it was, or the sweep is stopping. */
  | {
      readonly kind: 'Withheld';
      readonly outcome: Extract<ContainerOutcome, { readonly kind: 'Skipped' | 'NotAttempted' }>;
    };
