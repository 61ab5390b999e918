import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { bounds } from '../../model/bounds.ts';
import { define } from '../../util/json.ts';

/** There is more than is kept of one object. */
export class OverBound extends Error {}

/** The memory of a text, an entry of a list or of a map, besides its bytes. */
const overhead = 32;

/** For speed: to skip a field, the library makes an object, and it decodes strings one character at a time. */
export class FieldReader extends BinaryReader {
  readonly #bytes: Buffer;
  /** How many bytes of memory the texts and entries take that were read. */
  kept = 0;

  /** @param isWhole false if these are only the first bytes of a message. */
  constructor(
    bytes: Buffer,
    private readonly isWhole = true,
  ) {
    super(bytes);
    this.#bytes = bytes;
  }

  /** A text, or its beginning. One that is read and thrown away does not count. */
  text(most: number = bounds.value, isKept = true): string {
    const length = this.uint32();
    const start = this.pos;
    this.pos = this.endOf(length);
    const taken = Math.min(this.pos - start, most);
    if (isKept) this.keep(taken);
    return this.#bytes.toString('utf8', start, start + taken);
  }

  keep(bytes: number): void {
    this.kept += bytes + overhead;
    if (this.kept > bounds.pod) throw new OverBound();
  }

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

  endOf(length: number): number {
    const end = this.pos + length;
    if (end <= this.len) return end;
    if (this.isWhole) throw new RangeError('a message ends within a field');
    return this.len;
  }
}

export interface Value<T> {
  readonly wireType: WireType;
  readonly read: (reader: FieldReader) => T;
}

export interface Field<T> {
  readonly number: number;
  readonly wireType: WireType;
  readonly absent: T;
  /** Reads the value, whose tag has been read; `before` is what the object has so far. */
  readonly add: (before: T, reader: FieldReader) => T;
}

type Fields<T> = { readonly [K in keyof T]: Field<T[K]> };

export interface Message<T> extends Value<T> {
  readonly absent: T;
}

/** Decodes bytes that start with the length of the message; undefined if they are damaged, or over a bound. */
export function decode<T>(value: Value<T>, bytes: Buffer, isWhole = true): T | undefined {
  try {
    return value.read(new FieldReader(bytes, isWhole));
  } catch {
    return undefined;
  }
}

export const text: Value<string> = { wireType: WireType.LengthDelimited, read: (reader) => reader.text() };

export const integer: Value<number | undefined> = {
  wireType: WireType.Varint,
  read(reader) {
    const number = Number(reader.int64());
    return Number.isSafeInteger(number) ? number : undefined;
  },
};

export const flag: Value<boolean> = { wireType: WireType.Varint, read: (reader) => reader.bool() };

/** A message by its fields, read up to `last`: Kubernetes writes fields in the order of their numbers. */
export function message<T extends object>(
  fields: Fields<T>,
  last: number = Number.POSITIVE_INFINITY,
): Message<T> {
  const named: { readonly name: keyof T; readonly field: Field<T[keyof T]> }[] = [];
  const absent = {} as T;
  for (const name of Object.keys(fields) as (keyof T)[]) {
    const field = fields[name];
    named[field.number] = { name, field };
    absent[name] = field.absent;
  }
  return {
    wireType: WireType.LengthDelimited,
    absent,
    read(reader) {
      const object = { ...absent };
      const end = reader.endOf(reader.uint32());
      while (reader.pos < end) {
        const tag = reader.uint32();
        const known = named[tag >>> 3];
        if (tag >>> 3 > last) reader.pos = end;
        else if (!known) reader.pass(tag);
        else if (known.field.wireType === (tag & 7)) {
          object[known.name] = known.field.add(object[known.name], reader);
        } else throw new RangeError(`field ${tag >>> 3} has the wire type ${tag & 7}`);
      }
      if (reader.pos !== end) throw new RangeError('a message ends within a field');
      return object;
    },
  };
}

export function beginning<T extends object>(fields: Fields<T>): Message<T> {
  const numbers = Object.values<{ readonly number: number }>(fields).map(({ number }) => number);
  return message(fields, Math.max(...numbers));
}

/** Kubernetes writes empty strings, which mean that there is none. */
export function one<T>(number: number, { wireType, read }: Value<T>): Field<T | undefined> {
  const add = (before: T | undefined, reader: FieldReader) => {
    const value = read(reader);
    return value === '' ? before : value;
  };
  return { number, wireType, absent: undefined, add };
}

/** A message that counts as empty where it is missing. */
export function part<T>(number: number, { wireType, read, absent }: Message<T>): Field<T> {
  return { number, wireType, absent, add: (_before, reader) => read(reader) };
}

const none: readonly never[] = [];

/** A list, or its first values; with `isBound`, one that has more is too much. */
export function many<T>(
  number: number,
  { wireType, read }: Value<T>,
  most: number = Number.POSITIVE_INFINITY,
  isBound = false,
): Field<readonly T[]> {
  const add = (before: readonly T[], reader: FieldReader) => {
    if (before.length >= most) {
      if (isBound) throw new OverBound();
      reader.pass(wireType);
      return before;
    }
    reader.keep(0);
    // It was made here, and is read by others only when it is whole.
    const values = before === none ? [] : (before as T[]);
    values.push(read(reader));
    return values;
  };
  return { number, wireType, absent: none, add };
}

interface Entry {
  readonly key: string;
  readonly value: string;
}

const noEntries: Readonly<Record<string, string>> = {};

/** A map is written as a message for each of its entries. */
export function map(
  number: number,
  { wireType, read }: Value<Entry>,
): Field<Readonly<Record<string, string>>> {
  const add = (before: Readonly<Record<string, string>>, reader: FieldReader) => {
    const entries = before === noEntries ? {} : (before as Record<string, string>);
    const { key, value } = read(reader);
    define(entries, key, value);
    return entries;
  };
  return { number, wireType, absent: noEntries, add };
}

export function converted<T, U>({ wireType, read }: Value<T>, convert: (value: T) => U): Value<U> {
  return { wireType, read: (reader) => convert(read(reader)) };
}
