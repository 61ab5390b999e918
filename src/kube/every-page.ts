import type { ObjectPage, PageToken, Problem } from '../model/reading.ts';

/** Several times as many as the largest clusters have. https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
const mostItems = 1_000_000;
/** A million pods have as many pages. */
const mostPages = 2_000;
/** The API server's own tokens have some 500 characters: a name, its namespace and a version, in base64. */
const longestToken = 4_096;

/** Ends a list that a server would continue for ever. */
export class ListLimit {
  readonly #tokens = new Set<string>();
  #pages = 0;
  #items = 0;

  /** Counts items that have arrived; false if there are more than any list has. */
  allowsItems(count: number): boolean {
    this.#items += count;
    return this.#items <= mostItems;
  }

  /** Counts a page that this token continues; false if the list would never end. */
  allowsPageAfter(token: string): boolean {
    this.#pages++;
    const isNew = this.#tokens.size < this.#tokens.add(token).size;
    return isNew && token.length <= longestToken && this.#pages < mostPages;
  }

  /** The list starts again, and may repeat its tokens. */
  restart(): void {
    this.#tokens.clear();
  }
}

export const endlessList: Problem = {
  kind: 'Malformed',
  message: 'the server continues the list without end',
};

export type Items<T> =
  | { readonly kind: 'Read'; readonly items: readonly T[] }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** Reads a list page by page: all of it or nothing. */
export async function everyPage<T>(
  readPage: (token: PageToken) => Promise<ObjectPage<T>>,
): Promise<Items<T>> {
  const limit = new ListLimit();
  const items: T[] = [];
  let token: PageToken;
  for (;;) {
    const page = await readPage(token);
    if (page.kind === 'Unreadable') return page;
    for (const item of page.items) items.push(item);
    if (page.token === undefined) return { kind: 'Read', items };
    if (!limit.allowsItems(page.items.length) || !limit.allowsPageAfter(page.token)) break;
    token = page.token;
  }
  return { kind: 'Unreadable', problem: endlessList };
}
