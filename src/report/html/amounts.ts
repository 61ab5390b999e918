import { formatDuration, type Millis } from '../../duration.ts';

// To make one takes longer than to use it a thousand times.
const [whole, tenths, hundredths] = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat('en', { maximumFractionDigits: digits }),
) as [Intl.NumberFormat, Intl.NumberFormat, Intl.NumberFormat];

/** Numbers as people read them: 12,345, 1.2, 0.03. */
export function number(value: number): string {
  const size = Math.abs(value);
  return (size >= 100 ? whole : size >= 1 ? tenths : hundredths).format(value);
}

/** `1 pod`, `10,000 pods`, `0.5 cores`. */
export function many(amount: number, noun: string): string {
  const text = number(amount);
  return `${text} ${noun}${text === '1' ? '' : 's'}`;
}

export const gib = 2 ** 30;

/** `1.5 cores, 3 GiB`. */
export function resources({ cpu, memory }: { readonly cpu: number; readonly memory: number }): string {
  return `${many(cpu, 'core')}, ${number(memory / gib)} GiB`;
}

/** `2026-11-22 10:49`, in UTC. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** How long a step took, which may be a few milliseconds. */
export function lasted(time: Millis): string {
  return time < 1_000 ? `${Math.round(time)} ms` : formatDuration(time);
}
