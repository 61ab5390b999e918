import { describe, expect, it } from 'vitest';
import { everyPage } from '../../../../src/kube/objects/objects.ts';
import type { ObjectPage, PageToken } from '../../../../src/model/reading.ts';

/** Reads pages of which each has one item: its number. */
async function read(tokenAfter: (page: number) => PageToken, failing?: number) {
  const asked: PageToken[] = [];
  const read = await everyPage(async (token): Promise<ObjectPage<number>> => {
    asked.push(token);
    const page = asked.length;
    if (page === failing) return { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'late' } };
    return { kind: 'Page', items: [page], token: tokenAfter(page) };
  });
  return { read, asked };
}

it('reads page after page', async () => {
  const { read: all, asked } = await read((page) => (page < 3 ? `after ${page}` : undefined));
  expect(all).toEqual({ kind: 'Read', items: [1, 2, 3] });
  expect(asked).toEqual([undefined, 'after 1', 'after 2']);
});

it('gives nothing if a page cannot be read', async () => {
  expect((await read(String, 2)).read).toMatchObject({ kind: 'Unreadable', problem: { kind: 'TimedOut' } });
});

describe('gives up a list that the server continues without end', () => {
  it.each<readonly [title: string, tokenAfter: (page: number) => string, pages: number]>([
    ['with the same token', () => 'again', 2],
    ['with two tokens in turn', (page) => String(page % 2), 3],
    ['with ever new tokens', String, 2_000],
    ['with a token of 5 KB', () => 'x'.repeat(5_000), 1],
  ])('%s', async (_title, tokenAfter, pages) => {
    const { read: all, asked } = await read(tokenAfter);
    expect(all).toMatchObject({ kind: 'Unreadable', problem: { kind: 'Malformed' } });
    expect(asked).toHaveLength(pages);
  });
});
