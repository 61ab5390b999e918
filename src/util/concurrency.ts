import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Runs work as soon as a slot is free. Work that waits for the cluster to change must not hold one. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

export const usualConcurrency = 20;

/** Limits the requests in flight. A slot holds one request, or a read and the write that relies on it. */
export function createSlots(concurrency: number = usualConcurrency): Slots {
  const limit = pLimit(concurrency);
  return (work) => limit(work);
}

type Callback = () => void;

/** Calls back when a signal aborts, or at once if it has. The result removes the callback. */
export function onAbort(signal: AbortSignal, callback: Callback): Callback {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  // Requests and waits share one signal; Node would warn of a leak at the eleventh.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

export function aborted(signal: AbortSignal): Promise<void> {
  return wokenBy(signal, () => undefined);
}

/** Resolves when the signal aborts, or when the function that `register` receives is called. */
export function wokenBy(signal: AbortSignal, register: (wake: Callback) => void): Promise<void> {
  return new Promise((resolve) => {
    const remove = onAbort(signal, resolve);
    register(() => {
      remove();
      resolve();
    });
  });
}

/** The result, unless the signal aborts before. */
export function untilAborted<T>(result: Promise<T>, abort: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(abort, () => reject(abort.reason));
    result.then(resolve, reject).finally(leave);
  });
}

/** Pods per turn of the event loop. A pod near the bounds takes some milliseconds. */
const podsPerTurn = 8;

/** Yields pods one by one, and lets the event loop turn in between, so that timers and signals are not delayed. */
export async function* inTurns<T>(pods: Iterable<T>): AsyncGenerator<T, void> {
  let count = 0;
  for (const pod of pods) {
    yield pod;
    if (++count % podsPerTurn === 0) await setImmediate();
  }
}
