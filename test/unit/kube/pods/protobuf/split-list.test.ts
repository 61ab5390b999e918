import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BodyError } from '../../../../../src/kube/http/body.ts';
import { type ListPiece, splitList } from '../../../../../src/kube/pods/protobuf/split-list.ts';
import { piecesOf } from '../../../../builders/arriving.ts';

interface Exchange {
  readonly bodyBase64?: string;
}

const recording = JSON.parse(
  readFileSync(new URL('../../../../kit/recordings/list-protobuf.json', import.meta.url), 'utf8'),
) as { readonly exchanges: readonly Exchange[] };
/** A list of two pods, as a real API server sent it. */
const list = Buffer.from(recording.exchanges[1]?.bodyBase64 ?? '', 'base64');

function split(bytes: Buffer, size = bytes.length, limit = 1_000_000): readonly ListPiece[] {
  return piecesOf(
    bytes,
    size,
    (incoming) => splitList(incoming, limit, () => true),
    (piece) => ({ ...piece, bytes: Buffer.from(piece.bytes) }),
  );
}

describe('a recorded list', () => {
  it('is split into its type, its metadata and its items, the length before each', () => {
    const pieces = split(list);
    expect(pieces.map(({ kind }) => kind)).toEqual(['Type', 'Metadata', 'Item', 'Item']);
    for (const { bytes } of pieces) expect(lengthIn(bytes)).toBe(bytes.length);
  });

  it.each([1, 2, 3, 7, 100, 4_096])('is split alike if it arrives in chunks of %i bytes', (size) => {
    const whole = split(list);
    const pieces = split(list, size);
    expect(pieces.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual(
      whole.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
    );
  });

  it('that was cut anywhere is known to have been cut', () => {
    // The two empty fields behind the list say nothing, so that a list without them is complete.
    const complete = [list.length - 4, list.length - 2, list.length];
    for (let length = 0; length < list.length; length++) {
      if (complete.includes(length)) continue;
      expect(() => split(list.subarray(0, length)), `${length} bytes`).toThrow(BodyError);
    }
  });

  it('hands over the beginning of an item that is too large', () => {
    const pieces = split(list, 1_000, 4_370);
    expect(pieces.map(({ kind }) => kind)).toEqual(['Type', 'Metadata', 'Item', 'TooLarge']);
    expect(Buffer.from(pieces[3]?.bytes ?? []).toString('latin1')).toContain('onfailure-backoff-zero');
  });
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['a message without a list', Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x1a, 0x00])],
  ['a field of another kind', Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x08, 0x01])],
  ['a list that is shorter than its item', Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x12, 0x02, 0x12, 0x05])],
  // A reader that learns only at the end that it was a list has read no item.
  ['a list that says what it is only behind its items', typeBehindContent(list)],
])('%s is no list', (_title, bytes) => {
  expect(() => split(bytes)).toThrow(BodyError);
});

/** The same fields, the type last. */
function typeBehindContent(bytes: Buffer): Buffer {
  const [magic, length] = [4, 2];
  const typeEnd = magic + length + (bytes[magic + 1] ?? 0);
  return Buffer.concat([
    bytes.subarray(0, magic),
    bytes.subarray(typeEnd, -4),
    bytes.subarray(magic, typeEnd),
  ]);
}

/** What the varint at the beginning says, its own bytes included. */
function lengthIn(bytes: Uint8Array): number {
  let length = 0;
  let at = 0;
  for (; ; at++) {
    const byte = bytes[at] ?? 0;
    length |= (byte & 0x7f) << (7 * at);
    if (byte < 0x80) return length + at + 1;
  }
}
