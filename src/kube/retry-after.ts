import type { Millis } from '../duration.ts';

/** How long a server asks to wait; the API server always writes seconds. */
export function parseRetryAfter(header: string | undefined): Millis | undefined {
  return header !== undefined && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : undefined;
}
