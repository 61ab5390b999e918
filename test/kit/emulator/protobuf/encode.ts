import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { fieldsOfMessages } from './fields.ts';

interface Message {
  readonly kind: string;
  readonly fields: readonly Field[];
  /** The fields of the JSON: those of a struct that Go embeds are fields of the object itself. */
  readonly names: ReadonlySet<string>;
}

interface Field {
  readonly name: string;
  readonly number: number;
  readonly type: Scalar | Message;
  readonly holds: 'Value' | 'Pointer' | 'List' | 'Map' | 'Embedded';
}

interface Scalar {
  readonly wireType: WireType.Varint | WireType.LengthDelimited;
  /** What Go has where the JSON has nothing. */
  readonly zero: unknown;
  readonly write: (writer: BinaryWriter, value: unknown) => void;
}

type JsonObject = Readonly<Record<string, unknown>>;

export type Pieces = readonly Uint8Array[];

/**
 * An object as Kubernetes' protobuf: a `runtime.Unknown` that says what it is, and holds its message. A field that the table lacks
 * is an error. https://github.com/kubernetes/apimachinery/blob/master/pkg/runtime/generated.proto
 */
export function protobufOf(object: object): Pieces {
  const { apiVersion, kind, ...content } = object as JsonObject;
  const raw = contentOf(String(kind), content);
  const type = encode((writer) => writeField(writer, 1, messageOf('TypeMeta'), { apiVersion, kind }));
  return [magic, type, header(2, lengthOf(raw)), ...raw, noEncoding];
}

/** The same list with more items, which are encoded already, behind its own. */
export function* withItems(list: Pieces, items: Iterable<Uint8Array>, bytes: number): Generator<Uint8Array> {
  const own = list.slice(3, -1);
  yield* list.slice(0, 2);
  yield header(2, lengthOf(own) + bytes);
  yield* own;
  yield* items;
  yield noEncoding;
}

function contentOf(kind: string, content: JsonObject): Pieces {
  switch (kind) {
    case 'Pod':
      return podOf(content);
    case 'PodList': {
      const { metadata, items } = content as { metadata: object; items: readonly JsonObject[] };
      const pieces = [encode((writer) => writeField(writer, 1, messageOf('ListMeta'), metadata))];
      for (const item of items) {
        const pod = podOf(item);
        pieces.push(header(2, lengthOf(pod)), ...pod);
      }
      return pieces;
    }
    case 'Status':
      return [encode((writer) => writeMessage(writer, messageOf('Status'), content))];
    default:
      throw new TypeError(`the emulator does not encode ${kind}`);
  }
}

function podOf(object: JsonObject): Uint8Array[] {
  const unknown = Object.keys(object).find((name) => !podParts.some((part) => part.name === name));
  if (unknown !== undefined) throw new TypeError(`Pod has no field ${unknown}`);
  return podParts.map(({ name, encodingOf }) => encodingOf((object[name] ?? {}) as object));
}

/** Stored objects never change, and pods that were placed together share their specs: each is encoded once. */
function part(number: number, name: string, kind: string) {
  const known = new WeakMap<object, Uint8Array>();
  return {
    name,
    encodingOf(value: object) {
      const encoding =
        known.get(value) ?? encode((writer) => writeField(writer, number, messageOf(kind), value));
      known.set(value, encoding);
      return encoding;
    },
  };
}

export function lengthOf(pieces: Pieces): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function header(number: number, length: number): Uint8Array {
  return encode((writer) => writer.tag(number, WireType.LengthDelimited).uint64(length));
}

function encode(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

/** A field with its number. A message is written with its length, and a field that the table lacks is an error. */
function writeField(writer: BinaryWriter, number: number, type: Field['type'], value: unknown): void {
  if ('write' in type) {
    type.write(writer.tag(number, type.wireType), value);
    return;
  }
  if (!isObject(value)) throw new TypeError(`${JSON.stringify(value)} is not an object`);
  writer.tag(number, WireType.LengthDelimited).fork();
  writeMessage(writer, type, value);
  writer.join();
}

function writeMessage(writer: BinaryWriter, message: Message, object: JsonObject): void {
  for (const name of Object.keys(object)) {
    if (object[name] !== undefined && !message.names.has(name))
      throw new TypeError(`${message.kind} has no field ${name}`);
  }
  writeFields(writer, message, object);
}

function writeFields(writer: BinaryWriter, { kind, fields }: Message, object: JsonObject): void {
  for (const field of fields) {
    try {
      writeAll(writer, field, object);
    } catch (error) {
      throw new TypeError(`${kind}.${field.name}: ${(error as Error).message}`);
    }
  }
}

function writeAll(writer: BinaryWriter, { name, number, type, holds }: Field, object: JsonObject): void {
  const value = object[name];
  switch (holds) {
    case 'Value':
      // Go always writes it, empty strings and zeros included.
      writeField(writer, number, type, value ?? ('zero' in type ? type.zero : {}));
      return;
    case 'Pointer':
      if (value !== undefined && value !== null) writeField(writer, number, type, value);
      return;
    case 'List':
      if (!Array.isArray(value ?? [])) throw new TypeError(`${JSON.stringify(value)} is not a list`);
      for (const item of (value ?? []) as readonly unknown[]) writeField(writer, number, type, item);
      return;
    case 'Map':
      // A list of its entries, sorted by their keys.
      if (!isObject(value ?? {})) throw new TypeError(`${JSON.stringify(value)} is not a map`);
      for (const key of Object.keys(value ?? {}).sort()) {
        writer.tag(number, WireType.LengthDelimited).fork();
        writeField(writer, 1, text, key);
        writeField(writer, 2, type, (value as JsonObject)[key]);
        writer.join();
      }
      return;
    case 'Embedded':
      // A message of its own, but part of the object in the JSON.
      writer.tag(number, WireType.LengthDelimited).fork();
      if ('fields' in type) writeFields(writer, type, object);
      writer.join();
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text: Scalar = {
  wireType: WireType.LengthDelimited,
  zero: '',
  write(writer, value) {
    if (typeof value !== 'string') throw new TypeError(`${JSON.stringify(value)} is not a string`);
    writer.string(value);
  },
};

const integer: Scalar = {
  wireType: WireType.Varint,
  zero: 0,
  write(writer, value) {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${JSON.stringify(value)} is not a whole number`);
    writer.int64(value as number);
  },
};

const flag: Scalar = {
  wireType: WireType.Varint,
  zero: false,
  write(writer, value) {
    if (typeof value !== 'boolean') throw new TypeError(`${JSON.stringify(value)} is not a boolean`);
    writer.bool(value);
  },
};

/** What is a message in protobuf, and a single value in JSON. */
function wrapped(zero: unknown, write: Scalar['write']): Scalar {
  return {
    wireType: WireType.LengthDelimited,
    zero,
    write(writer, value) {
      writer.fork();
      write(writer, value);
      writer.join();
    },
  };
}

const scalars: Readonly<Record<string, Scalar>> = {
  text,
  integer,
  flag,
  /** https://github.com/kubernetes/apimachinery/blob/master/pkg/api/resource/quantity_proto.go */
  quantity: wrapped('0', (writer, value) => {
    // In manifests, whole numbers need no quotes.
    writeField(writer, 1, text, typeof value === 'number' ? String(value) : value);
  }),
  /**
   * Seconds, and nanoseconds that are always 0; Go's zero time is an empty message.
   * https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/time_proto.go
   */
  time: wrapped(null, (writer, value) => {
    if (value === null) return;
    writeField(writer, 1, integer, Math.floor(Date.parse(String(value)) / 1000));
    writeField(writer, 2, integer, 0);
  }),
  /** https://github.com/kubernetes/apimachinery/blob/master/pkg/util/intstr/generated.proto */
  intOrText: wrapped(0, (writer, value) => {
    const isText = typeof value === 'string';
    writeField(writer, 1, integer, Number(isText));
    writeField(writer, 2, integer, isText ? 0 : value);
    writeField(writer, 3, text, isText ? value : '');
  }),
  /** Managed fields are JSON in protobuf as well. */
  rawJson: wrapped(null, (writer, value) => writeField(writer, 1, text, JSON.stringify(value))),
};

const holds: Readonly<Record<string, Field['holds']>> = {
  '': 'Value',
  '?': 'Pointer',
  '[]': 'List',
  '{}': 'Map',
  '+': 'Embedded',
};

const messages = new Map<string, Message>();

for (const [, kind = '', list = ''] of fieldsOfMessages.matchAll(/^(\w+): ([^:]*)$(?=\n\S|\n$)/gm)) {
  const fields = list.split(/,\s+/).map((one) => fieldOf(one.trim()));
  const names = fields.flatMap(({ name, type, holds }) =>
    holds === 'Embedded' && 'names' in type ? [...type.names] : [name],
  );
  messages.set(kind, {
    kind,
    fields: fields.sort((one, other) => one.number - other.number),
    names: new Set(names),
  });
}

function fieldOf(written: string): Field {
  const [, name = '', digits, type = '', mark = ''] = /^(\S+) (\d+) (\w+)(\S*)$/.exec(written) ?? [];
  const how = holds[mark];
  if (name === '' || how === undefined) throw new Error(`not a field: ${written}`);
  return { name, number: Number(digits), type: scalars[type] ?? messageOf(type), holds: how };
}

function messageOf(kind: string): Message {
  const found = messages.get(kind);
  if (!found) throw new Error(`${kind} is not in the table yet`);
  return found;
}

const magic = Buffer.from('k8s\0');
const podParts = [
  part(1, 'metadata', 'ObjectMeta'),
  part(2, 'spec', 'PodSpec'),
  part(3, 'status', 'PodStatus'),
];
/** The encoding and the type of the content, both empty. */
const noEncoding = encode((writer) => {
  writeField(writer, 3, text, '');
  writeField(writer, 4, text, '');
});
