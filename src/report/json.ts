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
