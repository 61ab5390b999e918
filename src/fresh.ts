import type { Millis } from './duration.ts';
import type { Clock } from './ports.ts';

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
