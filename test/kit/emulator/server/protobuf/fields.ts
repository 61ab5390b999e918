import type { BackwardWriter } from './backward-writer.ts';

/** How a value of the JSON is written. */
export interface Type {
  readonly wireType: typeof varint | typeof delimited;
  /** What Go has where the JSON has nothing. */
  readonly zero: unknown;
  readonly write: (writer: BackwardWriter, value: unknown) => void;
}

export const varint = 0;
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
export function message(kind: string, fields: Readonly<Record<string, Field>>): Message {
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
export function always(number: number, type: Type): Field {
  return { number, write: (writer, value) => writeField(writer, number, type, value ?? type.zero) };
}

/** A pointer, which is written unless it is nil. */
export function pointer(number: number, type: Type): Field {
  return {
    number,
    write(writer, value) {
      if (value !== undefined && value !== null) writeField(writer, number, type, value);
    },
  };
}

export function list(number: number, type: Type): Field {
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
export function map(number: number, type: Type): Field {
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
export function inline(number: number, embeds: Message): Field {
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
