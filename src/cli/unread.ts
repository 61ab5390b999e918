import { onAbort } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import type { Surroundings } from './surroundings.ts';

/** Waits for something to be written; throws once nobody takes it. */
export type WaitForReader = <T>(write: Promise<T>) => Promise<T>;

export class Unread extends Error {
  constructor() {
    super('nobody reads it');
  }
}

/** A log collector restarts within less. */
const timeToRead: Millis = 60_000;

/** Also granted when time is up: whoever reads takes less. */
const leastTime: Millis = 200;

/**
 * How long a sweep waits for whoever reads its outputs: a reader that has stopped must not keep the next sweeps waiting. A person at
 * a terminal, who may be reading in a pager, has all the time until the sweep is stopped.
 */
export function waitForReaders({ stderr }: Pick<Surroundings, 'stderr'>, over: AbortSignal): WaitForReader {
  return (write) =>
    new Promise((resolve, reject) => {
      const giveUp = () => reject(new Unread());
      let timer = stderr.isTTY ? undefined : setTimeout(giveUp, timeToRead);
      const leave = onAbort(over, () => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, leastTime);
      });
      const end = () => {
        clearTimeout(timer);
        leave();
      };
      write.finally(end).then(resolve, reject);
    });
}
