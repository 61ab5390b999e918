import { Interned } from '../util/interned.ts';
import type { Millis } from '../util/time.ts';

/** A JSON object; nothing is known of its fields. */
export type Json = Readonly<Record<string, unknown>>;

/** Parses JSON; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object, and not a list. */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function records(value: unknown): readonly Json[] {
  return list(value).filter(isRecord);
}

/** The strings of a list. */
export function texts(value: unknown): readonly string[] {
  return list(value).filter((item) => typeof item === 'string');
}

/** The value if it is a string. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a string that is not empty: to Kubernetes, empty mostly means absent. */
export function filled(value: unknown): string | undefined {
  return text(value) || undefined;
}

/** The value if it is a whole number, as all numbers of the Kubernetes API are. */
export function integer(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/**
 * Reads a time of the API or of a header; undefined for anything else. Kubernetes writes its zero time as
 * null, and some controllers write it as the year 1.
 */
export function parseTime(value: unknown): Millis | undefined {
  const time = value instanceof Date ? value.getTime() : Date.parse(text(value) ?? '');
  return time > 0 ? time : undefined;
}

/** Kubernetes' MicroTime: RFC 3339 with exactly six digits after the point. */
export function microTime(time: Millis): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

/**
 * An object of the API as it is on the wire. client-node's types follow Kubernetes' own OpenAPI, but have a Date where the wire
 * has a text.
 */
export type Sent<T> = T extends Date
  ? string
  : T extends object
    ? { readonly [K in keyof T]: Sent<T[K]> }
    : T;

const knownTexts = new Interned<string>();
const knownLists = new Interned<readonly string[]>();

/** The same text in the same memory: many pods share it. What is remembered stays until the process ends. */
export function internText<T extends string | undefined>(text: T): T | string {
  return text === undefined ? text : knownTexts.of(text);
}

export function internTexts(list: readonly string[]): readonly string[] {
  return knownLists.of(list);
}

/** The fields of an object whose values are texts. */
export function strings(value: unknown): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, one] of Object.entries(record(value))) {
    if (typeof one === 'string') define(values, name, internText(one));
  }
  return values;
}

/** Sets a field as an own property even if it is called `__proto__`. */
export function define(values: Record<string, string>, name: string, value: string): void {
  if (name === '__proto__')
    Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
  else values[name] = value;
}
