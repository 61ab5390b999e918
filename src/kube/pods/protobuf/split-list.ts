import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { BodyError, tooLarge } from '../../http/body.ts';
import type { Arriving, Incoming } from '../../http/incoming.ts';

/** A part of an answer; its length stands before it. */
export interface ListPiece {
  /**
   * `Type` comes first, with kind and version of what follows. Of an item that is `TooLarge`, it is the beginning. `Object` is
   * an answer that is no list.
   */
  readonly kind: 'Type' | 'Metadata' | 'Item' | 'TooLarge' | 'Object';
  readonly bytes: Buffer;
}

/** Kubernetes puts it before each message, which it wraps in a `runtime.Unknown`. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
export const magicBytes = magic.length;
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

/** Whether an answer is in Kubernetes' protobuf. */
export function isProtobuf(beginning: Uint8Array): boolean {
  return magic.equals(beginning);
}

/**
 * Splits the answer to a list as it arrives, so that one item at a time is in memory. Each length stands
 * before what it measures: an answer that was cut is known for certain. Throws a BodyError if it was.
 * @param largest The most bytes of an item that are read; more than a few thousand.
 * @param isList Whether what follows is a list, by its type.
 */
export function* splitList(
  incoming: Incoming,
  largest: number,
  isList: (type: Buffer) => boolean,
): Arriving<ListPiece> {
  yield* skip(incoming, magic.length);
  let type: Buffer = Buffer.alloc(0);
  let hasContent = false;
  let fields = 0;
  for (;;) {
    while (!incoming.has(headerBytes)) yield undefined;
    const field = takeField(incoming);
    if (!field) break;
    if (++fields > mostFields) throw tooManyFields();
    if (field.number === typeMeta && field.length <= headBytes) {
      if (hasContent) throw malformed('the answer says what it is only behind it');
      while (!incoming.has(field.length)) yield undefined;
      type = take(incoming, field.length);
      yield { kind: 'Type', bytes: type };
    } else if (field.number === raw) {
      hasContent = true;
      if (isList(type)) {
        yield* skip(incoming, field.length - field.contentLength);
        yield* splitFields(incoming, field.contentLength, largest);
      } else if (field.length <= largest) {
        while (!incoming.has(field.length)) yield undefined;
        yield { kind: 'Object', bytes: take(incoming, field.length) };
      } else throw malformed('the answer is no list');
    } else yield* skip(incoming, field.length);
  }
  if (!hasContent) throw malformed('the answer is empty');
}

function* splitFields(incoming: Incoming, listLength: number, largest: number): Arriving<ListPiece> {
  let others = 0;
  for (let left = listLength; left > 0; ) {
    while (!incoming.has(headerBytes)) yield undefined;
    const field = takeField(incoming);
    if (!field || field.tagLength + field.length > left) throw malformed('the list ends within a field');
    left -= field.tagLength + field.length;
    const kind = kinds[field.number];
    if (kind !== 'Item' && ++others > mostFields) throw tooManyFields();
    if (kind === undefined) {
      yield* skip(incoming, field.length);
    } else if (field.length <= largest) {
      while (!incoming.has(field.length)) yield undefined;
      yield { kind, bytes: take(incoming, field.length) };
    } else if (kind === 'Metadata') {
      throw tooLarge('the metadata of the list', largest);
    } else {
      while (!incoming.has(headBytes)) yield undefined;
      yield { kind: 'TooLarge' as const, bytes: take(incoming, headBytes) };
      yield* skip(incoming, field.length - headBytes);
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
function takeField(incoming: Incoming): Field | undefined {
  if (incoming.length === 0) return undefined;
  const header = readHeader(incoming.peek(headerBytes));
  incoming.skip(header.tagLength);
  return header;
}

/** Throws a BodyError if there are not so many. */
function take(incoming: Incoming, wanted: number): Buffer {
  if (incoming.length < wanted) throw cut();
  return incoming.take(wanted);
}

/** Lets bytes go by without holding them. Throws a BodyError if there are not so many. */
function* skip(incoming: Incoming, count: number): Generator<undefined, void, void> {
  for (let left = incoming.skip(count); left > 0; left = incoming.skip(left)) {
    if (incoming.hasEnded) throw cut();
    yield undefined;
  }
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

function cut(): BodyError {
  return malformed('the list broke off');
}

/** What was cut at the wrong place looks the same, so another try may fare better. */
function malformed(message: string): BodyError {
  return new BodyError({ kind: 'Malformed', message, isFleeting: true });
}
