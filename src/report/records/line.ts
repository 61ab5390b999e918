import { safeJson } from '../json.ts';
import { cuts } from './cuts.ts';

/** Container runtimes split lines at 16 KiB, the line feed included. */
export const mostBytes = 16 * 1024;

/** A record as a line that no runtime splits. If there is no room for all of it, `leftOut` names what is missing. */
export function toLine(record: object): string {
  const whole = lineOf(record);
  if (fits(whole)) return whole;
  const leftOut = new Set<string>();
  let rest: unknown = record;
  let line = whole;
  for (const cut of cuts) {
    rest = apply(cut, rest, '', leftOut);
    line = lineOf({ ...(rest as object), leftOut: [...leftOut] });
    if (fits(line)) break;
  }
  return line;
}

/** Records, one a line. */
export function* toLines(records: Iterable<object>): Iterable<string> {
  for (const record of records) yield toLine(record);
}

/** Makes a cut wherever it applies, and notes where that was: `entry.containers[].attempts[].log`. */
function apply(cut: (typeof cuts)[number], value: unknown, path: string, leftOut: Set<string>): unknown {
  const kept = cut(value, path);
  if (kept !== value) leftOut.add(path);
  if (Array.isArray(kept)) return kept.map((item) => apply(cut, item, `${path}[]`, leftOut));
  if (typeof kept !== 'object' || kept === null) return kept;
  const fields = Object.entries(kept).map(([key, field]) => {
    const below = path === '' ? key : `${path}.${key}`;
    return [key, apply(cut, field, below, leftOut)];
  });
  return Object.fromEntries(fields);
}

function lineOf(record: object): string {
  return `${safeJson(record)}\n`;
}

function fits(line: string): boolean {
  // A character takes at most three bytes, so most lines need no counting.
  return line.length * 3 <= mostBytes || new TextEncoder().encode(line).length <= mostBytes;
}
