import { formatDuration, type Millis } from '../../duration.ts';
import { many, number } from '../amounts.ts';

export const gib = 2 ** 30;

/** `1.5 cores, 3 GiB`. */
export function resources({ cpu, memory }: { readonly cpu: number; readonly memory: number }): string {
  return `${many(cpu, 'core')}, ${number(memory / gib)} GiB`;
}

/** How long a step took, which may be a few milliseconds. */
export function lasted(time: Millis): string {
  return time < 1_000 ? `${Math.round(time)} ms` : formatDuration(time);
}
