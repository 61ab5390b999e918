import { record } from '../json.ts';
import { internText } from './interned.ts';

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
