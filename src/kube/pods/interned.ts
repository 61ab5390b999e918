import { Interned } from '../../util/interned.ts';
import { record } from '../json.ts';

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
