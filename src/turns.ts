import { setImmediate } from 'node:timers/promises';

/** How many pods are worked on without a pause. A pod near the bounds takes some milliseconds. */
const atATime = 8;

/** Gives pods one by one, and lets timers, signals and answers have their turn in between. */
export async function* inTurns<T>(pods: Iterable<T>): AsyncGenerator<T, void> {
  let count = 0;
  for (const pod of pods) {
    yield pod;
    if (++count % atATime === 0) await setImmediate();
  }
}
