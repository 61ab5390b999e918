import type { Clock, Millis } from './time.ts';

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

export interface RetryTiming {
  readonly clock: Clock;
  readonly random: Random;
}

/** The pauses add up to 6 to 13 seconds: enough for an API server to restart, or for the network of a new pod to start. */
export const readRetries = { firstPause: 200, leastTries: 2, mostTries: 7, time: 15_000 } as const;

/** The longest pause that a server can ask for. */
export const longestRetryAfter: Millis = 30_000;
const longestPause: Millis = 10_000;

export class Retries {
  #tries = 0;
  readonly #end: Millis;

  constructor(private readonly timing: RetryTiming) {
    this.#end = timing.clock.now() + readRetries.time;
  }

  /** Waits after a failed try, at least as long as the server asks; false if the request should not be tried again. */
  async again(stop: AbortSignal, asked: Millis = 0): Promise<boolean> {
    const { firstPause, leastTries, mostTries } = readRetries;
    const { clock, random } = this.timing;
    this.#tries++;
    if (stop.aborted || this.#tries >= mostTries) return false;
    const pause = Math.max(backOff(this.#tries, random, firstPause), Math.min(asked, longestRetryAfter));
    if (this.#tries >= leastTries && clock.now() + pause > this.#end) return false;
    await clock.sleep(pause, stop);
    return true;
  }
}

/** The pause doubles with each try. Half of it is random, so that clients that failed together do not retry together. */
export function backOff(tries: number, random: Random, firstPause: Millis = 1_000): Millis {
  const pause = Math.min(firstPause * 2 ** (tries - 1), longestPause);
  return (pause * (1 + random())) / 2;
}

/** A node answers within seconds. Longer delays come from a server that throttles, a credential plugin, or a suspended process. */
export const freshFor: Millis = 5_000;

/** Counts the time that the machine slept, too, during which Linux stops the monotonic clock (clock_gettime(2)). */
export function stopwatch(clock: Clock): () => Millis {
  const timeOfDay = () => clock.timeOfDay?.() ?? clock.now();
  const [began, since] = [clock.now(), timeOfDay()];
  return () => Math.max(clock.now() - began, timeOfDay() - since);
}

/** Reads once more if a usable answer took over 5 s: it may be outdated. The second answer is used, however slow it is. */
export async function readFresh<T>(
  clock: Clock,
  read: () => Promise<T>,
  isUsable: (answer: T) => boolean,
): Promise<T> {
  const elapsed = stopwatch(clock);
  const first = await read();
  return elapsed() > freshFor && isUsable(first) ? read() : first;
}
