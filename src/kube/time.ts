import type { Millis } from '../util/time.ts';
import { text } from './json.ts';

/**
 * Reads a time of the API or of a header; undefined for anything else. Kubernetes writes its zero time as
 * null, and some controllers write it as the year 1.
 */
export function parseTime(value: unknown): Millis | undefined {
  const time = Date.parse(text(value) ?? '');
  return time > 0 ? time : undefined;
}

/** Kubernetes' MicroTime: RFC 3339 with exactly six digits after the point. */
export function microTime(time: Millis): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}
