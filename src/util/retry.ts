import type { Clock, Millis } from './time.ts';

/** A number from 0 up to 1, without 1. */
export type Random = () => number;

/** Clock and jitter of retries. */
export interface RetryTiming {
  readonly clock: Clock;
  readonly random: Random;
}

/** How often, and for how long, a request is retried. */
export interface RetryLimits {
  readonly firstPause: Millis;
  /** Even if the time is shorter than the pauses between these. */
  readonly leastTries: number;
  readonly mostTries: number;
  readonly time: Millis;
}

/**
 * For requests that change nothing. The pauses take 6 to 13 seconds: in that time, an API server restarts, and the network of a new
 * pod starts. A server that answers late, or asks for longer pauses, is asked at least twice.
 */
export const readRetries: RetryLimits = { firstPause: 200, leastTries: 2, mostTries: 7, time: 15_000 };

/** The longest pause that a server can ask for. */
export const longestRetryAfter: Millis = 30_000;
const longestPause: Millis = 10_000;

/** Counts the tries of one request, and waits between them. */
export class Retries {
  #tries = 0;
  readonly #end: Millis;

  constructor(
    private readonly limits: RetryLimits,
    private readonly timing: RetryTiming,
  ) {
    this.#end = timing.clock.now() + limits.time;
  }

  /** Waits after a failed try; false if there should be no other. */
  async again(stop: AbortSignal, retryAfter: Millis = 0): Promise<boolean> {
    const { firstPause, leastTries, mostTries } = this.limits;
    const { clock, random } = this.timing;
    this.#tries++;
    if (stop.aborted || this.#tries >= mostTries) return false;
    const pause = Math.min(retryAfter, longestRetryAfter) + backOff(this.#tries, random, firstPause);
    if (this.#tries >= leastTries && clock.now() + pause > this.#end) return false;
    await clock.sleep(pause, stop);
    return true;
  }
}

/** Twice as long each time; half of it is random, so that clients that failed together do not all retry together. */
export function backOff(tries: number, random: Random, firstPause: Millis = 1_000): Millis {
  const pause = Math.min(firstPause * 2 ** (tries - 1), longestPause);
  return (pause * (1 + random())) / 2;
}

/**
 * How long the result of a read may be relied on. A node answers within seconds; longer delays come from a server that throttles,
 * from a plugin, or from a suspended process.
 */
export const freshFor: Millis = 5_000;

/**
 * Measures elapsed time, including time that the machine slept, when Linux stops the monotonic clock
 * (https://man7.org/linux/man-pages/man2/clock_gettime.2.html). A clock that was set forward looks the same, and costs a read.
 */
export function stopwatch(clock: Clock): () => Millis {
  const timeOfDay = () => clock.timeOfDay?.() ?? clock.now();
  const [began, since] = [clock.now(), timeOfDay()];
  return () => Math.max(clock.now() - began, timeOfDay() - since);
}

/** Reads again, once, if a usable answer took over 5 s: it may describe the past. If the second one takes as long, the server is slow. */
export async function readFresh<T>(
  clock: Clock,
  read: () => Promise<T>,
  isUsable: (answer: T) => boolean,
): Promise<T> {
  const elapsed = stopwatch(clock);
  const first = await read();
  return elapsed() > freshFor && isUsable(first) ? read() : first;
}
