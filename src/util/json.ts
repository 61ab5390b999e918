import type { Millis } from './time.ts';

export type Json = Readonly<Record<string, unknown>>;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Each takes the value if it has the type, and else an empty one or undefined.
export const record = (value: unknown): Json => (isRecord(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const records = (value: unknown): readonly Json[] => list(value).filter(isRecord);
export const texts = (value: unknown): readonly string[] =>
  list(value).filter((item) => typeof item === 'string');
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** To Kubernetes, an empty text mostly means that there is none. */
export const filled = (value: unknown): string | undefined => text(value) || undefined;
/** All numbers of the Kubernetes API are whole. */
export const integer = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

/** Kubernetes writes its zero time as null, and some controllers as the year 1. */
export function parseTime(value: unknown): Millis | undefined {
  const time = value instanceof Date ? value.getTime() : Date.parse(text(value) ?? '');
  return time > 0 ? time : undefined;
}

/** In characters. Few workloads have stuck pods at a time. */
const capacity = 256 * 1024;
/** Longer values are rare, and would displace too many others. */
const longest = 16 * 1024;

/** Thousands of stuck pods come from a few workloads: without sharing, they take twice the memory, which is scanned again and again. */
export class Interned<T extends string | object> {
  readonly #known = new Map<string, T>();
  #size = 0;

  /** An earlier equal value, or this one, which must not change afterwards. Values with the same JSON are equal. */
  of(value: T): T {
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    if (key.length > longest) return value;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#size + key.length > capacity) {
      this.#known.clear();
      this.#size = 0;
    }
    this.#known.set(key, value);
    this.#size += key.length;
    return value;
  }
}

const knownTexts = new Interned<string>();
const knownLists = new Interned<readonly string[]>();

/** The same text in the same memory: many pods share it. */
export function internText(text: string): string {
  return knownTexts.of(text);
}

export function internTexts(list: readonly string[]): readonly string[] {
  return knownLists.of(list);
}

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
