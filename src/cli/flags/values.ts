import { InvalidArgumentError } from 'commander';
import { longestTimer, type Millis, parseDuration } from '../../util/time.ts';

/** Reads a duration. Throws InvalidArgumentError. */
export function duration(value: string): Millis {
  const parsed = parseDuration(value);
  if (parsed === undefined) throw new InvalidArgumentError('Use a duration such as 90s, 5m or 1h30m.');
  return parsed;
}

/** Reads a duration that Node's timers support. Throws InvalidArgumentError. */
export function positiveDuration(value: string): Millis {
  const parsed = duration(value);
  if (parsed <= 0 || parsed > longestTimer) {
    throw new InvalidArgumentError('Use a duration from 1ms to 24d.');
  }
  return parsed;
}

/** A reader of whole numbers from `least` to `most`. Throws InvalidArgumentError. */
export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : undefined;
    if (number === undefined || number < least || number > most) {
      throw new InvalidArgumentError(`Use a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** The name of a file; an empty one is a variable that a script did not set. Throws InvalidArgumentError. */
export function fileName(value: string): string {
  if (value === '') throw new InvalidArgumentError('Name a file.');
  return value;
}
