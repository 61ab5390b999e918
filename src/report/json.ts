/** The output of a command, for machines. In pieces, so that what grows with the cluster is never one long text. */
export function* jsonPieces(document: object): Iterable<string> {
  yield* piecesOf(document, levelsOf(document), '');
  yield '\n';
}

/** Down to the entries of the lists of a document, and of each document in a list of documents. */
const levelsOf = (document: object): number => ('items' in document ? 4 : 2);
const indent = '  ';

function* piecesOf(value: object, levels: number, margin: string): Iterable<string> {
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, entry]) => isList || entry !== undefined);
  if (levels === 0 || entries.length === 0) {
    // Line feeds within strings are escaped.
    yield safeJson(value, indent.length).replaceAll('\n', `\n${margin}`);
    return;
  }
  yield isList ? '[' : '{';
  for (const [index, [key, entry]] of entries.entries()) {
    yield `${index > 0 ? ',' : ''}\n${margin}${indent}${isList ? '' : `${safeJson(key)}: `}`;
    if (typeof entry === 'object' && entry !== null) yield* piecesOf(entry, levels - 1, margin + indent);
    else yield safeJson(entry ?? null);
  }
  yield `\n${margin}${isList ? ']' : '}'}`;
}

/**
 * JSON in which all characters that could control a terminal are escaped. JSON.stringify itself escapes only
 * those below U+0020.
 */
export function safeJson(value: unknown, indent?: number): string {
  return escapeControls(JSON.stringify(value, undefined, indent));
}

export function escapeControls(json: string): string {
  // Nearly all is ASCII, which takes a fraction of the time to look through.
  if (!/[^\n -~]/.test(json)) return json;
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
