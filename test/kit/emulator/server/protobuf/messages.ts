import type { BackwardWriter } from './backward-writer.ts';
import { fieldsOfMessages } from './pod-fields.ts';

/** How a value of the JSON is written. */
export interface Type {
  readonly wireType: typeof varint | typeof delimited;
  /** What Go has where the JSON has nothing. */
  readonly zero: unknown;
  readonly write: (writer: BackwardWriter, value: unknown) => void;
}

const varint = 0;
/** The length stands before the content. */
export const delimited = 2;

export interface Message extends Type {
  /** The fields of the JSON. */
  readonly names: ReadonlySet<string>;
  /** Writes its fields of an object that may have others. */
  readonly writeOwn: (writer: BackwardWriter, object: JsonObject) => void;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A field of a message, by its number. */
interface Field {
  readonly number: number;
  /** Writes the value, or nothing. */
  readonly write: (writer: BackwardWriter, value: unknown) => void;
  /** Set if the fields of a struct that Go embeds are fields of the object itself in the JSON. */
  readonly embeds?: Message;
}

/** A struct of Go; its fields by their names in JSON. A field of the JSON that the table lacks is an error. */
function message(kind: string, fields: Readonly<Record<string, Field>>): Message {
  const backwards = Object.entries(fields).sort(([, one], [, other]) => other.number - one.number);
  const names = new Set(
    backwards.flatMap(([name, { embeds }]) => (embeds === undefined ? [name] : [...embeds.names])),
  );
  const writeOwn = (writer: BackwardWriter, object: JsonObject) => {
    for (const [name, field] of backwards) {
      try {
        field.write(writer, field.embeds ? object : object[name]);
      } catch (error) {
        throw new TypeError(`${kind}.${name}: ${(error as Error).message}`);
      }
    }
  };
  return {
    wireType: delimited,
    zero: {},
    names,
    writeOwn,
    write(writer, value) {
      if (!isObject(value)) throw new TypeError(`${JSON.stringify(value)} is not an object`);
      for (const name of Object.keys(value)) {
        if (value[name] !== undefined && !names.has(name))
          throw new TypeError(`${kind} has no field ${name}`);
      }
      writeOwn(writer, value);
    },
  };
}

/** A field that Go always writes, empty strings and zeros included. */
function always(number: number, type: Type): Field {
  return { number, write: (writer, value) => writeField(writer, number, type, value ?? type.zero) };
}

/** A pointer, which is written unless it is nil. */
function pointer(number: number, type: Type): Field {
  return {
    number,
    write(writer, value) {
      if (value !== undefined && value !== null) writeField(writer, number, type, value);
    },
  };
}

function list(number: number, type: Type): Field {
  return {
    number,
    write(writer, value) {
      const items = value ?? [];
      if (!Array.isArray(items)) throw new TypeError(`${JSON.stringify(value)} is not a list`);
      for (let index = items.length - 1; index >= 0; index--) writeField(writer, number, type, items[index]);
    },
  };
}

/** A map is a list of its entries, sorted by their keys. */
function map(number: number, type: Type): Field {
  const write = (writer: BackwardWriter, entry: unknown) => {
    const [key, value] = entry as [string, unknown];
    writeField(writer, 2, type, value);
    const end = writer.length;
    writer.text(key);
    writer.varint(writer.length - end);
    writer.varint(tag(1, delimited));
  };
  const entries = list(number, { wireType: delimited, zero: [], write });
  return {
    number,
    write(writer, value) {
      const object = value ?? {};
      if (!isObject(object)) throw new TypeError(`${JSON.stringify(value)} is not a map`);
      entries.write(writer, Object.entries(object).sort(byKey));
    },
  };
}

/** A struct that Go embeds: a message of its own, but part of the object in the JSON. */
function inline(number: number, embeds: Message): Field {
  const type = { ...embeds, write: embeds.writeOwn as Type['write'] };
  return { number, embeds, write: (writer, object) => writeField(writer, number, type, object) };
}

export function writeField(writer: BackwardWriter, number: number, type: Type, value: unknown): void {
  const end = writer.length;
  type.write(writer, value);
  if (type.wireType === delimited) writer.varint(writer.length - end);
  writer.varint(tag(number, type.wireType));
}

/** What stands before a field. */
export function tag(number: number, wireType: Type['wireType']): number {
  return number * 8 + wireType;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

export const text: Type = {
  wireType: delimited,
  zero: '',
  write(writer, value) {
    if (typeof value !== 'string') throw new TypeError(`${JSON.stringify(value)} is not a string`);
    writer.text(value);
  },
};

const integer: Type = {
  wireType: varint,
  zero: 0,
  write(writer, value) {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${JSON.stringify(value)} is not a whole number`);
    writer.varint(value as number);
  },
};

const flag: Type = {
  wireType: varint,
  zero: false,
  write(writer, value) {
    if (typeof value !== 'boolean') throw new TypeError(`${JSON.stringify(value)} is not a boolean`);
    writer.varint(Number(value));
  },
};

/** https://github.com/kubernetes/apimachinery/blob/master/pkg/api/resource/quantity_proto.go */
const quantity: Type = {
  wireType: delimited,
  zero: '0',
  write(writer, value) {
    // In manifests, whole numbers need no quotes.
    writeField(writer, 1, text, typeof value === 'number' ? String(value) : value);
  },
};

/**
 * Seconds, and nanoseconds that are always 0; Go's zero time is an empty message.
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/time_proto.go
 */
const time: Type = {
  wireType: delimited,
  zero: null,
  write(writer, value) {
    if (value === null) return;
    writeField(writer, 2, integer, 0);
    writeField(writer, 1, integer, Math.floor(Date.parse(String(value)) / 1000));
  },
};

/** https://github.com/kubernetes/apimachinery/blob/master/pkg/util/intstr/generated.proto */
const intOrText: Type = {
  wireType: delimited,
  zero: 0,
  write(writer, value) {
    const isText = typeof value === 'string';
    writeField(writer, 3, text, isText ? value : '');
    writeField(writer, 2, integer, isText ? 0 : value);
    writeField(writer, 1, integer, Number(isText));
  },
};

/** Managed fields are JSON in protobuf as well. */
const rawJson: Type = {
  wireType: delimited,
  zero: null,
  write: (writer, value) => writeField(writer, 1, text, JSON.stringify(value)),
};

const types: Record<string, Type> = { text, integer, flag, quantity, time, intOrText, rawJson };
const messages = new Map<string, Message>();

for (const [, kind = '', list = ''] of fieldsOfMessages.matchAll(/^(\w+): ([^:]*)$(?=\n\S|\n$)/gm)) {
  const fields = list.split(/,\s+/).map((text) => fieldOf(text.trim()));
  messages.set(kind, message(kind, Object.fromEntries(fields)));
}

function fieldOf(text: string): [name: string, field: Field] {
  const [, name = '', digits, typeName = '', how] = /^(\S+) (\d+) (\w+)(\S*)$/.exec(text) ?? [];
  const number = Number(digits);
  if (how === '+') return [name, inline(number, messageOf(typeName))];
  const type = types[typeName] ?? messageOf(typeName);
  switch (how) {
    case '':
      return [name, always(number, type)];
    case '?':
      return [name, pointer(number, type)];
    case '[]':
      return [name, list(number, type)];
    case '{}':
      return [name, map(number, type)];
    default:
      throw new Error(`not a field: ${text}`);
  }
}

export function messageOf(kind: string): Message {
  const found = messages.get(kind);
  if (!found) throw new Error(`${kind} is not in the table yet`);
  return found;
}
