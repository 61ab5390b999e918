import type { Millis } from '../../duration.ts';
import type { Random } from '../../ports.ts';

const firstPause: Millis = 1_000;
const longestPause: Millis = 10_000;

/** Twice as long each time; random by half, so that the pods of a sweep do not all come back at once. */
export function backOff(tries: number, random: Random): Millis {
  const pause = Math.min(firstPause * 2 ** (tries - 1), longestPause);
  return (pause * (1 + random())) / 2;
}
