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
