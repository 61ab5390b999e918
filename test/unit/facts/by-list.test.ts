import { expect, it } from 'vitest';
import { readByList, readsPerPage } from '../../../src/facts/readers.ts';
import type { ObjectPage } from '../../../src/model/reading.ts';

/** How many pages of a list with so many other items on each are read before it is given up. */
async function pagesRead(wanted: number, perPage: number, pages = 1_000): Promise<number> {
  let read = 0;
  await readByList<number>(
    wanted,
    async (token) => {
      expect(token).toBe(read === 0 ? undefined : String(read));
      read++;
      const items = Array.from({ length: perPage }, (_, index) => index);
      return { kind: 'Page', items, token: read < pages ? String(read) : undefined };
    },
    () => 'Wanted',
  );
  return read;
}

it('few are not worth a page', async () => {
  expect(await pagesRead(readsPerPage - 1, 100)).toBe(0);
  expect(await pagesRead(readsPerPage, 100)).toBe(1);
});

it('it ends when so few are missing that single reads are cheaper', async () => {
  expect(await pagesRead(100, 50)).toBe(2);
  expect(await pagesRead(100, 31)).toBe(3);
});

it('it ends when more pages were read than reads are spared, in a list with many others', async () => {
  expect(await pagesRead(100, 0)).toBe(10);
  expect(await pagesRead(105, 0)).toBe(10);
});

it('it ends with the list', async () => {
  expect(await pagesRead(100, 0, 3)).toBe(3);
});

it('it ends with the first page that fails', async () => {
  const failed: ObjectPage<never> = { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no' } };
  let read = 0;
  const readPage = async () => {
    read++;
    return failed;
  };
  await readByList(1_000, readPage, () => 'Wanted');
  expect(read).toBe(1);
});
