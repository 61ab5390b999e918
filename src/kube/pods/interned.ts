import { Interned } from '../../interned.ts';

/** Each is the same for many pods. What is remembered stays in memory until the process ends. */
const texts = new Interned<string>();
const lists = new Interned<readonly string[]>();

export function internText<T extends string | undefined>(text: T): T | string {
  return text === undefined ? text : texts.of(text);
}

export function internTexts(list: readonly string[]): readonly string[] {
  return lists.of(list);
}
