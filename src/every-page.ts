import type { ObjectPage, PageToken, Problem } from './model/observation.ts';

/** Several times as many as the largest clusters have. https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
const mostPages = 1_000;

export type Items<T> =
  | { readonly kind: 'Read'; readonly items: readonly T[] }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** Reads a list page by page: all of it or nothing. */
export async function everyPage<T>(
  readPage: (token: PageToken) => Promise<ObjectPage<T>>,
): Promise<Items<T>> {
  const items: T[] = [];
  let token: PageToken;
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await readPage(token);
    if (page.kind === 'Unreadable') return page;
    for (const item of page.items) items.push(item);
    if (page.token === undefined) return { kind: 'Read', items };
    if (page.token === token) break;
    token = page.token;
  }
  const message = 'the server continues the list without end';
  return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
}
