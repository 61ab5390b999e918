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

/** Returns the value, or what takes its place. Its path has no numbers: `entry.containers[].steps`. */
type Cut = (value: unknown, path: string) => unknown;

/** Made until a record fits, first of long values that are rarely needed; the rest is a valid entry. */
const cuts: readonly Cut[] = [
  emptied('lines'),
  textsWithin(1_000),
  emptied('command', 'steps', 'lastResort', 'unfit'),
  // Names, times and uids are shorter: Kubernetes allows 253 characters.
  textsWithin(255),
  emptied('attempts'),
  ...[128, 64, 32, 16, 8, 4, 2, 1].map(firstOf),
];

/** A record as a line that no runtime splits. If it does not fit, `leftOut` names what was cut. */
export function toLine(record: object): string {
  let line = lineOf(record);
  const leftOut = new Set<string>();
  let rest: unknown = record;
  for (const cut of cuts) {
    if (fits(line)) break;
    rest = apply(cut, rest, '', leftOut);
    line = lineOf({ ...(rest as object), leftOut: [...leftOut] });
  }
  return line;
}

export function* toLines(records: Iterable<object>): Iterable<string> {
  for (const record of records) yield toLine(record);
}

export function isTooLong(record: object): boolean {
  return !fits(lineOf(record));
}

/** Makes a cut wherever it applies, and notes where that was: `entry.containers[].attempts[].log`. */
function apply(cut: Cut, value: unknown, path: string, leftOut: Set<string>): unknown {
  const kept = cut(value, path);
  if (kept !== value) leftOut.add(path);
  if (Array.isArray(kept)) return kept.map((item) => apply(cut, item, `${path}[]`, leftOut));
  if (typeof kept !== 'object' || kept === null) return kept;
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  return Object.fromEntries(
    Object.entries(kept).map(([key, field]) => [key, apply(cut, field, below(key), leftOut)]),
  );
}

function lineOf(record: object): string {
  return `${safeJson(record)}\n`;
}

function fits(line: string): boolean {
  return Buffer.byteLength(line) <= mostBytes;
}

function emptied(...names: readonly string[]): Cut {
  return (value, path) =>
    Array.isArray(value) && value.length > 0 && names.includes(path.slice(path.lastIndexOf('.') + 1))
      ? []
      : value;
}

function firstOf(most: number): Cut {
  return (value) => (Array.isArray(value) && value.length > most ? value.slice(0, most) : value);
}

/** Cuts texts that take more bytes than this in a written line, but never the fields by which a record is found. */
function textsWithin(most: number): Cut {
  const bytesOf = (text: string) => Buffer.byteLength(safeJson(text)) - '""'.length;
  return (value, path) => {
    if (typeof value !== 'string' || bytesOf(value) <= most || path.endsWith('run.id')) return value;
    let cut = value.slice(0, most);
    // At most six bytes for a unit, as in \u202e; and not in the middle of a surrogate pair.
    for (let over = 1; over > 0; over = bytesOf(`${cut}…`) - most)
      cut = cut.slice(0, cut.length - Math.ceil(over / 6)).replace(/[\ud800-\udbff]$/, '');
    return `${cut}…`;
  };
}
