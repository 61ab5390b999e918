/** A number as people read it: 12,345, 1.2, 0.03. */
export function number(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** `2026-11-22 10:49`; reports have all times in UTC. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
