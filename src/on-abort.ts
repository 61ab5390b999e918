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
