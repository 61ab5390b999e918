import type { Problem } from './problem.ts';

/** Continues a list; undefined begins it, and comes with its last page. */
export type PageToken = string | undefined;

/** A part of a list. */
export type ObjectPage<T> =
  | { readonly kind: 'Page'; readonly items: readonly T[]; readonly token: PageToken }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };
