import type { ContainerOutcome } from '../model/outcome.ts';
import type { PodReading } from '../model/reading.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { Watched } from './wait/observation.ts';

/** What came of a step: the one fact that sending, waiting and driving hand on. */
export type Taken =
  | Attempted
  /** Nothing was sent: the containers no longer run. */
  | { readonly kind: 'Overtaken'; readonly reading: PodReading }
  /** Nothing was sent: the pod is not what it was, or the sweep is stopping. */
  | {
      readonly kind: 'Withheld';
      readonly outcome: Extract<ContainerOutcome, { readonly kind: 'Skipped' | 'NotAttempted' }>;
    };

/** The request was made, or held back. */
export interface Attempted {
  readonly kind: 'Attempted';
  readonly attempt: Attempt;
  /** The attempts before this one, if the step was sent again. */
  readonly earlier?: readonly Attempt[];
  /** The containers that it was for. */
  readonly watched: readonly Watched[];
  /** The last read after it; undefined if there was nothing to wait for, or no read. */
  readonly reading: PodReading | undefined;
}

/** The requests that were made for a step, in order. */
export function attemptsOf({ earlier = [], attempt }: Attempted): readonly Attempt[] {
  return [...earlier, attempt];
}

/** What came of a step that was to be sent again. */
export function sentAgain(before: Attempted, again: Taken): Attempted {
  switch (again.kind) {
    case 'Attempted': {
      const { attempt, reading = before.reading } = again;
      // Those that ended in between did not get it again.
      const watched = before.watched.map(
        (one) => again.watched.find(({ container }) => container === one.container) ?? one,
      );
      return { kind: 'Attempted', earlier: attemptsOf(before), attempt, watched, reading };
    }
    case 'Overtaken':
      return { ...before, reading: again.reading };
    case 'Withheld':
      return before;
  }
}
