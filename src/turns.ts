import { setImmediate } from 'node:timers/promises';

/** How many pods are worked on without a pause. A pod near the bounds takes some milliseconds. */
const atATime = 8;

/** Does work that is made of pieces; undefined if it is stopped before its end. Others have their turn in between. */
export async function finish<T>(pieces: Generator<unknown, T>, stop: AbortSignal): Promise<T | undefined> {
  for (let count = 1; !stop.aborted; count++) {
    const piece = pieces.next();
    if (piece.done) return piece.value;
    if (count % atATime === 0) await setImmediate();
  }
  return undefined;
}

/** Gives pods one by one, and lets timers, signals and answers have their turn in between. */
export async function* inTurns<T>(pods: Iterable<T>): AsyncGenerator<T, void> {
  let count = 0;
  for (const pod of pods) {
    yield pod;
    if (++count % atATime === 0) await setImmediate();
  }
}
