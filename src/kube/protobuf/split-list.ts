import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { Incoming } from './incoming.ts';

/** A part of a list; its length stands before it. */
export type ListPiece =
  | { readonly kind: 'Metadata'; readonly bytes: Uint8Array }
  | { readonly kind: 'Item'; readonly bytes: Uint8Array }
  /** An item of more bytes than are read; `bytes` are its first. */
  | { readonly kind: 'TooLarge'; readonly bytes: Uint8Array };

/** Kubernetes puts it before each message, which it wraps in a `runtime.Unknown`. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
/** The field of `runtime.Unknown` that holds the list. */
const raw = 2;
/** The fields of a list. */
const kinds: Readonly<Record<number, 'Metadata' | 'Item'>> = { 1: 'Metadata', 2: 'Item' };
/** No tag with a length behind it takes more bytes. */
const headerBytes = 10;
/** Of an item that is too large, so much is kept: a pod begins with its name. */
const headBytes = 4096;

/**
 * Splits the answer to a list as it arrives, so that one item at a time is in memory. Each length stands
 * before what it measures: an answer that was cut is known for certain.
 * @param limit The most bytes of an item that are read; more than a few thousand.
 * @throws if the answer was cut, or is no such list.
 */
export async function* splitList(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<ListPiece, void, void> {
  const incoming = new Incoming(body);
  const begin = await incoming.take(magic.length);
  if (!magic.equals(begin)) throw new RangeError('the answer does not begin as a message of Kubernetes');
  let isList = false;
  for (let field = await nextField(incoming); field; field = await nextField(incoming)) {
    if (field.number === raw) {
      isList = true;
      await incoming.skip(field.length - field.contentLength);
      yield* splitFields(incoming, field.contentLength, limit);
    } else await incoming.skip(field.length);
  }
  if (!isList) throw new RangeError('the answer has no list');
}

async function* splitFields(incoming: Incoming, listLength: number, limit: number) {
  for (let left = listLength; left > 0; ) {
    const field = await nextField(incoming);
    if (!field || field.tagLength + field.length > left) throw new RangeError('the list ends within a field');
    left -= field.tagLength + field.length;
    const kind = kinds[field.number];
    if (kind === undefined) await incoming.skip(field.length);
    else if (field.length <= limit) yield { kind, bytes: await incoming.take(field.length) };
    else {
      yield { kind: 'TooLarge' as const, bytes: await incoming.take(headBytes) };
      await incoming.skip(field.length - headBytes);
    }
  }
}

interface Field {
  readonly number: number;
  readonly tagLength: number;
  /** Of the content and its length before it, in bytes. */
  readonly length: number;
  readonly contentLength: number;
}

/** The field that comes next, its tag taken; undefined at the end. */
async function nextField(incoming: Incoming): Promise<Field | undefined> {
  const bytes = await incoming.peek(headerBytes);
  if (bytes.length === 0) return undefined;
  const reader = new BinaryReader(bytes);
  const [number, wireType] = reader.tag();
  if (wireType !== WireType.LengthDelimited) throw new RangeError(`a field has the wire type ${wireType}`);
  const tagLength = reader.pos;
  const contentLength = reader.uint32();
  await incoming.skip(tagLength);
  return { number, tagLength, length: reader.pos - tagLength + contentLength, contentLength };
}
