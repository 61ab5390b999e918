import { onAbort } from '../../on-abort.ts';

/**
 * Work that is done for all who wait for it, never twice at a time. Whoever is aborted leaves at once, and the
 * last one to leave stops the work.
 */
export class SharedRun<T> {
  #running: { readonly result: Promise<T>; readonly stop: AbortController; waiting: number } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly work: (abort: AbortSignal) => Promise<T>) {}

  /** Rejects as the work does, or if aborted. */
  async join(abort: AbortSignal): Promise<T> {
    abort.throwIfAborted();
    this.#running ??= this.#start();
    const running = this.#running;
    running.waiting++;
    try {
      return await untilAborted(running.result, abort);
    } finally {
      running.waiting--;
      if (running.waiting === 0) {
        if (this.#running === running) this.#running = undefined;
        running.stop.abort();
      }
    }
  }

  #start() {
    const stop = new AbortController();
    // Work that was stopped takes a moment to end.
    const result = this.#last.then(() => this.work(stop.signal));
    this.#last = result.catch(() => undefined);
    return { result, stop, waiting: 0 };
  }
}

function untilAborted<T>(result: Promise<T>, abort: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(abort, () => reject(abort.reason));
    result.then(resolve, reject).finally(leave);
  });
}
