// To make one takes longer than to use it a thousand times.
const digits = [0, 1, 2].map((most) => new Intl.NumberFormat('en', { maximumFractionDigits: most }));

/** A number as people read it: 12,345, 1.2, 0.03. */
export function number(value: number): string {
  const size = Math.abs(value);
  return digits[size >= 100 ? 0 : size >= 1 ? 1 : 2]?.format(value) ?? '';
}

/** `1 pod`, `10,000 pods`, `0.5 cores`. */
export function many(amount: number, noun: string): string {
  const text = number(amount);
  return `${text} ${noun}${text === '1' ? '' : 's'}`;
}

/** `2026-11-22 10:49`; reports have all times in UTC. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
