/**
 * Reads messages of the Kubernetes API into the objects that they are in JSON, so that what is read from
 * either is the same. A field that is not named is skipped by its length.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { type Json, record } from '../../json.ts';
import type { FieldReader } from './reader.ts';

/** How a value is written, and how it is read. */
interface Value<T> {
  readonly wireType: WireType;
  readonly read: (reader: FieldReader) => T;
}

/** How a value of a field becomes part of the object. */
interface Field {
  readonly wireType: WireType;
  /** Its tag has been read; the object ends there. */
  readonly readInto: (object: Record<string, unknown>, reader: FieldReader, end: number) => void;
}

export type Message = Value<Json>;

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

/** A message of which nothing is read behind these fields: Kubernetes writes fields in the order of their numbers. */
export function beginning(fields: Fields): Message {
  return messageUpTo(Math.max(...Object.keys(fields).map(Number)), fields);
}

type Fields = Readonly<Record<number, Field>>;

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
        else if (field.wireType === (tag & 7)) field.readInto(object, reader, end);
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

/** Runs that are longer are not remembered, nor are more than this. */
const longestRun = 16_384;
const mostRuns = 256;

interface Run<T> {
  readonly bytes: Buffer;
  readonly values: readonly T[];
}

/**
 * As `many`, for what is the same in many pods: equal bytes give the same array, so that it is read only once, and in memory only
 * once. For field numbers up to 15, whose tags have one byte. What is remembered stays in memory until the process ends.
 */
export function manyAlike<T>(name: string, { wireType, read }: Value<T>): Field {
  /** The last of each length. */
  const known = new Map<number, Run<T>>();
  const remember = (run: Run<T>) => {
    if (known.size >= mostRuns) known.clear();
    known.set(run.bytes.length, { ...run, bytes: Buffer.from(run.bytes) });
  };
  return {
    wireType,
    readInto(object, reader, end) {
      const start = reader.pos;
      const bytes = reader.run(end);
      const same = known.get(bytes.length);
      const before = same?.bytes.equals(bytes) ? same : undefined;
      const values = before?.values ?? readRun(reader, start, read);
      if (!before && bytes.length <= longestRun) remember({ bytes, values });
      const others = object[name];
      object[name] = Array.isArray(others) ? [...others, ...values] : values;
    },
  };
}

/** Reads once more what a run has passed over. */
function readRun<T>(reader: FieldReader, start: number, read: Value<T>['read']): readonly T[] {
  const end = reader.pos;
  reader.pos = start;
  const values = [read(reader)];
  while (reader.pos < end) {
    reader.uint32();
    values.push(read(reader));
  }
  return values;
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

/** A value that JSON has in another form. */
export function converted<T, U>({ wireType, read }: Value<T>, convert: (value: T) => U): Value<U> {
  return { wireType, read: (reader) => convert(read(reader)) };
}
