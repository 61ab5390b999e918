import { goJson } from '../handlers/answer.ts';
import type { Pieces } from './pieces.ts';

/** An object as JSON with a trailing newline, as Go's encoder writes it. */
export function jsonOf(object: object): Pieces {
  return 'items' in object && Array.isArray(object.items)
    ? listOf(object, object.items)
    : [Buffer.from(`${goJson(object)}\n`)];
}

function listOf(list: object, items: readonly object[]): Pieces {
  const { items: _, ...rest } = list as { items: unknown };
  const pieces: Uint8Array[] = [Buffer.from(`${goJson(rest).slice(0, -1)},"items":[`)];
  for (const [index, item] of items.entries()) {
    let before = index === 0 ? '{' : ',{';
    for (const [name, value] of Object.entries(item)) {
      if (value === undefined) continue;
      pieces.push(mark(`${before}"${name}":`), jsonValue(value));
      before = ',';
    }
    pieces.push(mark('}'));
  }
  pieces.push(mark(']}\n'));
  return pieces;
}

/** What stands between values. */
const marks = new Map<string, Buffer>();

function mark(text: string): Buffer {
  const known = marks.get(text) ?? Buffer.from(text);
  marks.set(text, known);
  return known;
}

/** Stored objects never change, and pods that were placed together share their specs: each is encoded once. */
const values = new WeakMap<object, Buffer>();

function jsonValue(value: unknown): Buffer {
  if (typeof value !== 'object' || value === null) return Buffer.from(goJson(value));
  const known = values.get(value) ?? Buffer.from(goJson(value));
  values.set(value, known);
  return known;
}
