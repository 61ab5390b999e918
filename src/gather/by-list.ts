import type { ObjectPage, PageToken } from '../model/observation.ts';

/**
 * A page of a list costs a server about as much as so many single reads: 100 Jobs take it some milliseconds, and a read one or
 * two, besides its round trip.
 */
export const readsPerPage = 10;

/**
 * Reads the pages of a list that save requests. Whoever wants few of many, or may not list, gets what was found so far, and reads
 * the rest one by one; so a list that fails is no problem.
 */
export async function readByList<T>(
  wanted: number,
  readPage: (token: PageToken) => Promise<ObjectPage<T>>,
  take: (item: T) => 'Wanted' | 'Other',
): Promise<void> {
  let missing = wanted;
  let token: PageToken;
  for (let worth = wanted; Math.min(missing, worth) >= readsPerPage; worth -= readsPerPage) {
    const page = await readPage(token);
    if (page.kind === 'Unreadable') return;
    missing -= page.items.filter((item) => take(item) === 'Wanted').length;
    token = page.token;
    if (token === undefined) return;
  }
}
