import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Runs work as soon as a slot is free. Work that waits for the cluster to change must not hold one. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

export interface MeasuredSlots extends Slots {
  /** The most that were occupied at once. */
  most(): number;
}

/** Limits the requests in flight. A slot holds one request, or a read and the write that relies on it. */
export function createSlots(concurrency: number): MeasuredSlots {
  const limit = pLimit(concurrency);
  let most = 0;
  const slots = <T>(work: () => Promise<T>) =>
    limit(() => {
      most = Math.max(most, limit.activeCount);
      return work();
    });
  return Object.assign(slots, { most: () => most });
}

type Callback = () => void;

/** All who wait for one signal, and the one listener that they share. */
interface Waiting {
  readonly callbacks: Set<Callback>;
  readonly listener: Callback;
}

/**
 * Thousands of pods wait for the same signal at once. An EventTarget compares each new listener with all others, and takes the
 * eleventh for a leak.
 */
const waitingFor = new WeakMap<AbortSignal, Waiting>();

/** Calls back when a signal aborts, or at once if it has. Returns what takes the callback off the signal. */
export function onAbort(signal: AbortSignal, callback: Callback): Callback {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const { callbacks, listener } = waitingFor.get(signal) ?? share(signal);
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    waitingFor.delete(signal);
  };
}

function share(signal: AbortSignal): Waiting {
  const callbacks = new Set<Callback>();
  const listener = () => {
    for (const callback of callbacks) callback();
  };
  const waiting = { callbacks, listener };
  waitingFor.set(signal, waiting);
  signal.addEventListener('abort', listener, { once: true });
  return waiting;
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return wokenBy(signal, () => undefined);
}

/** Resolves when whoever was given the way to wake us uses it, or when the signal aborts. */
export function wokenBy(signal: AbortSignal, give: (wake: Callback) => void): Promise<void> {
  return new Promise((resolve) => {
    const leave = onAbort(signal, resolve);
    give(() => {
      leave();
      resolve();
    });
  });
}

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
