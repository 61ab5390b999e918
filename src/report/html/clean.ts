import { printable } from '../../printable.ts';

/** A value with all its texts made printable, keys as well: names and messages are other people's input. */
export function clean<T>(value: T): T;
export function clean(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map((one) => clean(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [printable(key), clean(one)]));
}
