import { mayHaveWorked } from '../methods/attempt.ts';
import type { Observation, PodReading } from '../model/reading.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { Permit } from './guard/guard.ts';
import type { Promised, Promises } from './guard/promises.ts';
import { attemptsOf, type Taken } from './taken.ts';
import { observe, type Watched } from './wait/observation.ts';

/** Tells the guard what came of a pod that went first. */
export function teach(permit: Permit, taken: Taken | undefined, watched: readonly Watched[]): void {
  if (permit.kind !== 'First') return;
  const attempts: readonly Attempt[] = taken?.kind === 'Attempted' ? attemptsOf(taken) : [];
  const telling = attempts.find(mayHaveWorked) ?? attempts.at(-1);
  permit.tell(telling, (container) => seenOf(taken, container, watched));
}

/** Tells how the sidecars ended that the step was sent to, unless somebody else was ending the pod. */
export function learnFrom(taken: Taken, promised: readonly Promised[], promises: Promises): void {
  if (taken.kind !== 'Attempted' || isBeingTakenAway(taken.reading)) return;
  if (!attemptsOf(taken).some(mayHaveWorked)) return;
  const sentTo = taken.watched.map(({ container }) => container);
  promises.learn(
    promised.filter(({ container }) => sentTo.includes(container)),
    (container) => seenOf(taken, container, []),
  );
}

function isBeingTakenAway(reading: PodReading | undefined): boolean {
  return reading?.kind === 'Present' && (reading.pod.deleting || reading.pod.disrupted);
}

function seenOf(taken: Taken | undefined, container: string, before: readonly Watched[]): Observation {
  if (taken?.kind !== 'Attempted' || !taken.reading) return { kind: 'Running' };
  // One that had ended before the step was sent to the others is seen as it ended.
  const watched = [...taken.watched, ...before].find((one) => one.container === container);
  return watched ? observe(taken.reading, watched) : { kind: 'Running' };
}
