import { isAbsolute, join } from 'node:path';
import { UsageError } from '../../usage-error.ts';
import { isRecord, type Json } from '../json.ts';

/**
 * An object of a kubeconfig. As in kubectl, a field that is null or empty is missing, and one of another type is
 * an error: a usage error, which names the field and never its value.
 */
export class Section {
  constructor(
    /** What messages call it. */
    readonly title: string,
    private readonly fields: Json,
    /** Relative paths start here. */
    private readonly folder: string,
  ) {}

  /** The same under another title. */
  called(title: string): Section {
    return new Section(title, this.fields, this.folder);
  }

  text(name: string): string | undefined {
    return this.#field(name, 'a string', (value) => typeof value === 'string') || undefined;
  }

  flag(name: string): boolean {
    return this.#field(name, 'true or false', (value) => typeof value === 'boolean') ?? false;
  }

  texts(name: string): readonly string[] {
    return this.#field(name, 'a list of strings', isTexts) ?? [];
  }

  /** Lists of strings by their names. */
  lists(name: string): Readonly<Record<string, readonly string[]>> {
    return this.#field(name, 'an object with lists of strings', isLists) ?? {};
  }

  section(name: string): Section | undefined {
    const fields = this.#field(name, 'an object', isRecord);
    return fields && new Section(`${name} of ${this.title}`, fields, this.folder);
  }

  sections(name: string): readonly Section[] {
    const items = this.#field(name, 'a list of objects', isSections) ?? [];
    return items.map((item, at) => new Section(`${name}[${at}] of ${this.title}`, item, this.folder));
  }

  /** A field as it is, whatever it is. */
  anything(name: string): unknown {
    return this.fields[name];
  }

  path(name: string): string | undefined {
    const path = this.text(name);
    return path && this.resolve(path);
  }

  resolve(path: string): string {
    return isAbsolute(path) ? path : join(this.folder, path);
  }

  /** Text in base64. */
  data(name: string): string | undefined {
    const data = this.text(name)?.replace(/[\r\n]/g, '');
    if (data === undefined) return undefined;
    if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) throw this.problem(name, 'base64');
    return Buffer.from(data, 'base64').toString('utf8');
  }

  problem(name: string, expected: string): UsageError {
    return new UsageError(`${name} of ${this.title} is not ${expected}`);
  }

  #field<T>(name: string, expected: string, is: (value: unknown) => value is T): T | undefined {
    const value = this.fields[name] ?? undefined;
    if (value === undefined || is(value)) return value;
    throw this.problem(name, expected);
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isLists(value: unknown): value is Readonly<Record<string, readonly string[]>> {
  return isRecord(value) && Object.values(value).every(isTexts);
}

function isSections(value: unknown): value is readonly Json[] {
  return Array.isArray(value) && value.every(isRecord);
}
