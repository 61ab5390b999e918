import { type Arriving, Incoming } from '../../src/kube/http/incoming.ts';

/** What is made of bytes that arrive in chunks of this size; each piece is kept before the next bytes arrive. */
export function piecesOf<T, K>(
  bytes: Uint8Array,
  size: number,
  read: (incoming: Incoming) => Arriving<T>,
  keep: (piece: T) => K,
): readonly K[] {
  const kept: K[] = [];
  const incoming = new Incoming();
  const pieces = read(incoming);
  const take = () => {
    for (let next = pieces.next(); !next.done && next.value !== undefined; next = pieces.next()) {
      kept.push(keep(next.value));
    }
  };
  for (let at = 0; at < bytes.length; at += size) {
    incoming.push(bytes.subarray(at, at + size));
    take();
  }
  incoming.end();
  take();
  return kept;
}
