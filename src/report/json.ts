import { isRecord } from '../util/json.ts';

/** A document as JSON, in pieces: what grows with the cluster are its lists, and each of their entries is a piece. */
export function* jsonPieces(document: object): Iterable<string> {
  const fields = Object.entries(document).filter(([, value]) => value !== undefined);
  for (const [index, [key, value]] of fields.entries()) {
    yield `${index > 0 ? ',' : '{'}\n  ${safeJson(key)}: `;
    if (!Array.isArray(value) || value.length === 0) {
      yield indented(value, '  ');
      continue;
    }
    for (const [index, entry] of value.entries())
      yield `${index > 0 ? ',' : '['}\n    ${indented(entry ?? null, '    ')}`;
    yield '\n  ]';
  }
  yield fields.length > 0 ? '\n}\n' : '{}\n';
}

/** Line feeds within strings are escaped. */
function indented(value: unknown, margin: string): string {
  return safeJson(value, 2).replaceAll('\n', `\n${margin}`);
}

/** JSON without characters that control a terminal: JSON.stringify escapes only those below U+0020. */
export function safeJson(value: unknown, indent?: number): string {
  return escapeControls(JSON.stringify(value, undefined, indent));
}

export function escapeControls(json: string): string {
  return json.replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Enough for a write to be worth it. */
const usualLength = 64 * 1024;

/** Joins pieces of a text, so that few writes are needed and no more of it than this is in memory. */
export function* inChunks(pieces: Iterable<string>): Iterable<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < usualLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Container runtimes split lines at 16 KiB, the line feed included. */
export const mostBytes = 16 * 1024;

/** The bytes of a text and the items of a list that are kept until a record fits. Kubernetes allows 253 bytes in names. */
const shorter = [
  [1_000, 64],
  [255, 16],
  [255, 4],
  [255, 1],
] as const;

/** A record as a line that no runtime splits. If it does not fit, its texts and lists are cut. */
export function toLine(record: object): string {
  let line = lineOf(record);
  for (const [bytes, items] of shorter) {
    if (fits(line)) break;
    line = lineOf({ ...(cut(record, bytes, items) as object), leftOut: true });
  }
  return line;
}

export function* toLines(records: Iterable<object>): Iterable<string> {
  for (const record of records) yield toLine(record);
}

export function isTooLong(record: object): boolean {
  return !fits(lineOf(record));
}

function lineOf(record: object): string {
  return `${safeJson(record)}\n`;
}

function fits(line: string): boolean {
  return Buffer.byteLength(line) <= mostBytes;
}

function cut(value: unknown, bytes: number, items: number): unknown {
  if (typeof value === 'string') return startOf(value, bytes);
  if (Array.isArray(value)) return value.slice(0, items).map((item) => cut(item, bytes, items));
  if (!isRecord(value)) return value;
  // A merged report has the ids of all its shards.
  const fieldOf = (key: string, field: unknown) =>
    key === 'run.id' || key === 'id' ? field : cut(field, bytes, items);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fieldOf(key, field)]));
}

/** As many whole characters as take so many bytes in a line. */
function startOf(text: string, most: number): string {
  const bytesOf = (part: string) => Buffer.byteLength(safeJson(part)) - '""'.length;
  if (bytesOf(text) <= most) return text;
  let start = '';
  let bytes = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > most) break;
    start += character;
  }
  return `${start}…`;
}
