/** A body, in pieces that other answers may share. */
export type Pieces = readonly Uint8Array[];

export function lengthOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The pieces in chunks of about this size. */
export function* joined(pieces: Pieces, size: number): Generator<Uint8Array> {
  let start = 0;
  let length = 0;
  for (let end = 0; end < pieces.length; end++) {
    length += pieces[end]?.length ?? 0;
    if (length < size) continue;
    yield Buffer.concat(pieces.slice(start, end + 1), length);
    start = end + 1;
    length = 0;
  }
  if (length > 0) yield Buffer.concat(pieces.slice(start), length);
}
