import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { BodyError, tooLarge } from '../../http/body.ts';
import type { Incoming } from '../../http/incoming.ts';

/** A part of an answer; its length stands before it. */
export interface ListPiece {
  /**
   * `Type` comes first, with kind and version of what follows. Of an item that is `TooLarge`, it is the beginning. `Object` is
   * an answer that is no list.
   */
  readonly kind: 'Type' | 'Metadata' | 'Item' | 'TooLarge' | 'Object';
  readonly bytes: Uint8Array;
}

/** Kubernetes puts it before each message, which it wraps in a `runtime.Unknown`. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
/** The fields of `runtime.Unknown` that say what it holds, and that hold it. */
const typeMeta = 1;
const raw = 2;
/** The fields of a list. */
const kinds: Readonly<Record<number, 'Metadata' | 'Item'>> = { 1: 'Metadata', 2: 'Item' };
/** No tag with a length behind it takes more bytes. */
const headerBytes = 10;
/** Of an item that is too large, so much is kept: a pod begins with its name. */
const headBytes = 4096;
/** Fields of an answer besides items. Kubernetes writes four; millions would keep us busy for minutes. */
const mostFields = 64;

/** Whether an answer is in Kubernetes' protobuf. Takes nothing. */
export async function isProtobuf(incoming: Incoming): Promise<boolean> {
  return magic.equals(await incoming.peek(magic.length));
}

/**
 * Splits the answer to a list as it arrives, so that one item at a time is in memory. Each length stands
 * before what it measures: an answer that was cut is known for certain. Throws a BodyError if it was.
 * @param largest The most bytes of an item that are read; more than a few thousand.
 * @param isList Whether what follows is a list, by its type.
 */
export async function* splitList(
  incoming: Incoming,
  largest: number,
  isList: (type: Uint8Array) => boolean,
): AsyncGenerator<ListPiece, void, void> {
  await incoming.skip(magic.length);
  let type: Uint8Array = new Uint8Array();
  let hasContent = false;
  let fields = 0;
  for (let field = await nextField(incoming); field; field = await nextField(incoming)) {
    if (++fields > mostFields) throw tooManyFields();
    if (field.number === typeMeta && field.length <= headBytes) {
      type = await incoming.take(field.length);
      yield { kind: 'Type', bytes: type };
    } else if (field.number === raw) {
      hasContent = true;
      if (isList(type)) {
        await incoming.skip(field.length - field.contentLength);
        yield* splitFields(incoming, field.contentLength, largest);
      } else if (field.length <= largest) yield { kind: 'Object', bytes: await incoming.take(field.length) };
      else throw malformed('the answer is no list');
    } else await incoming.skip(field.length);
  }
  if (!hasContent) throw malformed('the answer is empty');
}

async function* splitFields(
  incoming: Incoming,
  listLength: number,
  largest: number,
): AsyncGenerator<ListPiece, void, void> {
  let others = 0;
  for (let left = listLength; left > 0; ) {
    const field = await nextField(incoming);
    if (!field || field.tagLength + field.length > left) throw malformed('the list ends within a field');
    left -= field.tagLength + field.length;
    const kind = kinds[field.number];
    if (kind !== 'Item' && ++others > mostFields) throw tooManyFields();
    if (kind === undefined) await incoming.skip(field.length);
    else if (field.length <= largest) yield { kind, bytes: await incoming.take(field.length) };
    else if (kind === 'Metadata') throw tooLarge('the metadata of the list', largest);
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
  const header = readHeader(bytes);
  await incoming.skip(header.tagLength);
  return header;
}

function readHeader(bytes: Uint8Array): Field {
  try {
    const reader = new BinaryReader(bytes);
    const [number, wireType] = reader.tag();
    if (wireType !== WireType.LengthDelimited) throw new RangeError(`the wire type ${wireType}`);
    const tagLength = reader.pos;
    const contentLength = reader.uint32();
    return { number, tagLength, length: reader.pos - tagLength + contentLength, contentLength };
  } catch {
    throw malformed('the answer has a field that cannot be read');
  }
}

function tooManyFields(): BodyError {
  return malformed('the list has more fields than any list');
}

/** What was cut at the wrong place looks the same, so another try may fare better. */
function malformed(message: string): BodyError {
  return new BodyError({ kind: 'Malformed', message, isFleeting: true });
}
