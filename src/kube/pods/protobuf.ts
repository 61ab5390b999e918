/**
 * Reads messages of the Kubernetes API into the objects that they are in JSON, so that a pod is narrowed in the same way wherever
 * it comes from. A field that is not named is skipped by its length. What cannot be read throws a RangeError.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { type Json, record } from '../json.ts';

/**
 * The library's reader, except for what is done most: skipping a field, for which the library makes an object, and reading a
 * string, which it decodes one character at a time.
 */
class FieldReader extends BinaryReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super(bytes);
    this.#bytes = bytes;
  }

  text(): string {
    const length = this.uint32();
    const start = this.pos;
    this.pos = this.endOf(length);
    return this.#bytes.toString('utf8', start, this.pos);
  }

  /** Skips the value of a field whose tag has been read. */
  pass(tag: number): void {
    switch (tag & 7) {
      case WireType.LengthDelimited:
        this.pos = this.endOf(this.uint32());
        break;
      case WireType.Varint:
        this.uint32();
        break;
      default:
        this.skip(tag & 7, tag >>> 3);
    }
  }

  /** Where a value of this length ends, which starts here. */
  endOf(length: number): number {
    const end = this.pos + length;
    if (end > this.len) throw new RangeError('a message ends within a field');
    return end;
  }
}

/** How a value is encoded. */
interface Value<T> {
  readonly wireType: WireType;
  readonly read: (reader: FieldReader) => T;
}

/** How a value of a field becomes part of the object. */
interface Field {
  readonly wireType: WireType;
  /** Reads the value, whose tag has been read. */
  readonly readInto: (object: Record<string, unknown>, reader: FieldReader) => void;
}

type Fields = Readonly<Record<number, Field>>;
export type Message = Value<Json>;

/** Decodes bytes that start with the length of the message; undefined if they are damaged. */
export function decode(message: Message, bytes: Buffer): Json | undefined {
  try {
    return message.read(new FieldReader(bytes));
  } catch {
    return undefined;
  }
}

export const text: Value<string> = {
  wireType: WireType.LengthDelimited,
  read: (reader) => reader.text(),
};

export const integer: Value<number> = {
  wireType: WireType.Varint,
  read: (reader) => Number(reader.int64()),
};

export const flag: Value<boolean> = {
  wireType: WireType.Varint,
  read: (reader) => reader.bool(),
};

/** A message; its fields by their numbers. */
export function message(fields: Fields): Message {
  return messageUpTo(Number.POSITIVE_INFINITY, fields);
}

/** A message that is not read past these fields: Kubernetes writes fields in the order of their numbers. */
export function beginning(fields: Fields): Message {
  return messageUpTo(Math.max(...Object.keys(fields).map(Number)), fields);
}

function messageUpTo(last: number, fields: Fields): Message {
  return {
    wireType: WireType.LengthDelimited,
    read(reader) {
      const object: Record<string, unknown> = {};
      const end = reader.endOf(reader.uint32());
      while (reader.pos < end) {
        const tag = reader.uint32();
        const number = tag >>> 3;
        const field = fields[number];
        if (number > last) reader.pos = end;
        else if (!field) reader.pass(tag);
        else if (field.wireType === (tag & 7)) field.readInto(object, reader);
        else throw new RangeError(`field ${number} has the wire type ${tag & 7}`);
      }
      if (reader.pos !== end) throw new RangeError('a message ends within a field');
      return object;
    },
  };
}

/** Kubernetes writes empty strings, which JSON leaves out. */
export function one<T>(name: string, { wireType, read }: Value<T>): Field {
  return {
    wireType,
    readInto(object, reader) {
      const value = read(reader);
      if (value !== '') object[name] = value;
    },
  };
}

export function many<T>(name: string, { wireType, read }: Value<T>): Field {
  return {
    wireType,
    readInto(object, reader) {
      const values = object[name];
      if (Array.isArray(values)) values.push(read(reader));
      else object[name] = [read(reader)];
    },
  };
}

/** A map is written as a message for each of its entries. */
export function map(name: string, value: Value<string>): Field {
  const entry = message({ 1: one('key', text), 2: one('value', value) });
  return {
    wireType: WireType.LengthDelimited,
    readInto(object, reader) {
      const entries = record(object[name]);
      const { key = '', value = '' } = entry.read(reader);
      object[name] = Object.assign(entries, { [String(key)]: value });
    },
  };
}

/** A value that has another form in JSON. */
export function converted<T, U>({ wireType, read }: Value<T>, convert: (value: T) => U): Value<U> {
  return { wireType, read: (reader) => convert(read(reader)) };
}

/** The strings of a message that has these numbers, as far as its first bytes show them. */
export function textsAtStart(names: Readonly<Record<number, string>>, bytes: Buffer, depth: number): Json {
  const found: Record<string, string> = {};
  const reader = new FieldReader(bytes);
  try {
    // The length of the outer message, then the tag and the length of each one within.
    for (let skipped = 0; skipped <= 2 * depth; skipped++) reader.uint32();
    for (;;) {
      const tag = reader.uint32();
      const name = (tag & 7) === WireType.LengthDelimited ? names[tag >>> 3] : undefined;
      if (name === undefined) reader.pass(tag);
      else found[name] = reader.text();
    }
  } catch {
    return found;
  }
}
