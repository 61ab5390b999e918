import type { Clock, Millis } from './time.ts';

/** A number from 0 up to 1, without 1. */
export type Random = () => number;

/** What spreads tries over time. */
export interface Pace {
  readonly clock: Clock;
  readonly random: Random;
}

/** For how long something is worth trying again. */
export interface Endurance {
  readonly firstPause: Millis;
  /** Even if the time is shorter than the pauses between these. */
  readonly leastTries: number;
  readonly mostTries: number;
  readonly time: Millis;
}

/**
 * For what is asked before anything is changed, whoever asks. The pauses take 6 to 13 seconds: in as long, an API server restarts,
 * and the network of a new pod comes up. A server that answers late, or asks for longer pauses, is asked at least twice.
 */
export const endurance: Endurance = { firstPause: 200, leastTries: 2, mostTries: 7, time: 15_000 };

/** A server that asks for more patience than this is asked again anyway. */
export const longestRetryAfter: Millis = 30_000;
const longestPause: Millis = 10_000;

/** Counts the tries of one request, and waits between them. */
export class Patience {
  #tries = 0;
  readonly #end: Millis;

  constructor(
    private readonly endurance: Endurance,
    private readonly pace: Pace,
  ) {
    this.#end = pace.clock.now() + endurance.time;
  }

  /** Waits after a try that missed; false if it is not worth another. */
  async again(stop: AbortSignal, retryAfter: Millis = 0): Promise<boolean> {
    const { firstPause, leastTries, mostTries } = this.endurance;
    const { clock, random } = this.pace;
    this.#tries++;
    if (stop.aborted || this.#tries >= mostTries) return false;
    const pause = Math.min(retryAfter, longestRetryAfter) + backOff(this.#tries, random, firstPause);
    if (this.#tries >= leastTries && clock.now() + pause > this.#end) return false;
    await clock.sleep(pause, stop);
    return true;
  }
}

/** Twice as long each time; random by half, so that those who failed together do not all come back at once. */
export function backOff(tries: number, random: Random, firstPause: Millis = 1_000): Millis {
  const pause = Math.min(firstPause * 2 ** (tries - 1), longestPause);
  return (pause * (1 + random())) / 2;
}

/**
 * How long a read allows what it has shown to be done. A node answers within seconds, and whoever waits longer was kept waiting: by
 * a server that wants no requests, by a plugin, or because the process was suspended.
 */
export const freshFor: Millis = 5_000;

/**
 * Tells how much time has gone by, also while the machine slept, when Linux stops the monotonic clock
 * (https://man7.org/linux/man-pages/man2/clock_gettime.2.html). A clock that was set forward looks the same, and costs a read.
 */
export function stopwatch(clock: Clock): () => Millis {
  const timeOfDay = () => clock.timeOfDay?.() ?? clock.now();
  const [began, since] = [clock.now(), timeOfDay()];
  return () => Math.max(clock.now() - began, timeOfDay() - since);
}

/**
 * Reads, and once more if that took so long that an answer of use may have waited to be heard. The second time, it is the server
 * that is slow.
 */
export async function freshly<T>(
  clock: Clock,
  read: () => Promise<T>,
  isOfUse: (answer: T) => boolean,
): Promise<T> {
  const elapsed = stopwatch(clock);
  const first = await read();
  return elapsed() > freshFor && isOfUse(first) ? read() : first;
}
