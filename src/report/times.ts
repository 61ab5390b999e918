import { formatDuration, type Millis } from '../util/time.ts';

/** A time as reports write it: RFC 3339, in UTC. */
export function iso(time: Millis): string {
  return new Date(time).toISOString();
}

/** How long it was from one time of a report to another, in words; `?` if one is missing. */
export function elapsed(from: string, to: string | undefined): string {
  return to === undefined ? '?' : formatDuration(Date.parse(to) - Date.parse(from));
}
