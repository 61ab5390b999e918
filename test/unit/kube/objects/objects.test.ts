import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { everyPage, listObjects, readNamed, resourcePath } from '../../../../src/kube/objects/objects.ts';
import type { ObjectPage, PageToken } from '../../../../src/model/reading.ts';
import { answered, forbidden, notFound, timedOut, transportWith } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const names = {
  path: '/things',
  kind: 'ThingList',
  pageSize: 2,
  narrow: (item: Readonly<Record<string, unknown>>) => item['name'],
};
const listOf = (items: unknown, next?: unknown) =>
  answered(200, { kind: 'ThingList', metadata: { continue: next, remainingItemCount: 1 }, items });

describe('a page of a list', () => {
  it('has its items, and the token for the next one', async () => {
    const { transport, asked } = transportWith(listOf([{ name: 'a' }, { name: 'b' }], 'next'), listOf([]));
    const first = { kind: 'Page', items: ['a', 'b'], token: 'next' };
    expect(await listObjects(transport, names, undefined, abort)).toEqual(first);
    const last = { kind: 'Page', items: [], token: undefined };
    expect(await listObjects(transport, names, 'next', abort)).toEqual(last);
    expect(asked).toEqual([
      { path: '/things', query: { limit: '2' } },
      { path: '/things', query: { limit: '2', continue: 'next' } },
    ]);
  });

  it.each([
    ['forbidden', forbidden, 'Forbidden'],
    ['not answered', timedOut, 'TimedOut'],
    ['of something else', answered(200, { kind: 'PodList', items: [] }), 'Malformed'],
    ['no list', answered(200, 'hello'), 'Malformed'],
    ['a list whose items are null', listOf(null), 'Malformed'],
    ['a list with an item that is no object', listOf(['a']), 'Malformed'],
    ['a list with an odd token', listOf([], 5), 'Malformed'],
  ])('that is %s is a problem', async (_title, answer, kind) => {
    const reading = await listObjects(transportWith(answer).transport, names, undefined, abort);
    expect(reading).toMatchObject({ kind: 'Unreadable', problem: { kind } });
  });
});

describe('an object', () => {
  const node = { path: '/api/v1/nodes/node1', kind: 'Node', name: 'node1' };
  const read = (answer: Answer) => readNamed(transportWith(answer).transport, node, abort);

  it('is read by its path', async () => {
    const { transport, asked } = transportWith(answered(200, { kind: 'Node' }));
    const present = { kind: 'Present', body: { kind: 'Node' } };
    expect(await readNamed(transport, node, abort)).toEqual(present);
    expect(asked).toEqual([{ path: '/api/v1/nodes/node1', query: {} }]);
  });

  it('is gone only if a Status from an API server is about it', async () => {
    expect(await read(notFound('node1'))).toEqual({ kind: 'Gone' });
    expect(await read(notFound('cluster-1'))).toMatchObject({ kind: 'Unreadable' });
    expect(await read(answered(404, '404 page not found'))).toMatchObject({ kind: 'Unreadable' });
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, answer: Answer, problem: object]>([
    ['forbidden', forbidden, { kind: 'Forbidden' }],
    ['not answered', timedOut, { kind: 'TimedOut' }],
    ['a server error', answered(500, ''), { kind: 'Rejected' }],
    ['another one', answered(200, { kind: 'Node', metadata: { name: 'node2' } }), { message: 'another Node' }],
    ['of another kind', answered(200, { kind: 'Pod', metadata: { name: 'node1' } }), { message: 'not a Node' }],
    ['a page', answered(200, '<html>'), { kind: 'Malformed', message: 'not a Node' }],
  ])('cannot be read: %s', async (_title, answer, problem) => {
    expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem });
  });
});

describe('all pages of a list', () => {
  /** Reads pages of which each has one item: its number. */
  async function readAll(tokenAfter: (page: number) => PageToken, failing?: number) {
    const asked: PageToken[] = [];
    const all = await everyPage(async (token): Promise<ObjectPage<number>> => {
      asked.push(token);
      const page = asked.length;
      if (page === failing) return { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'late' } };
      return { kind: 'Page', items: [page], token: tokenAfter(page) };
    });
    return { all, asked };
  }

  it('are read one after another', async () => {
    const { all, asked } = await readAll((page) => (page < 3 ? `after ${page}` : undefined));
    expect(all).toEqual({ kind: 'Read', items: [1, 2, 3] });
    expect(asked).toEqual([undefined, 'after 1', 'after 2']);
  });

  it('are nothing if one cannot be read', async () => {
    const { all } = await readAll(String, 2);
    expect(all).toMatchObject({ kind: 'Unreadable', problem: { kind: 'TimedOut' } });
  });

  it.each<readonly [title: string, tokenAfter: (page: number) => string, pages: number]>([
    ['with the same token', () => 'again', 2],
    ['with two tokens in turn', (page) => String(page % 2), 3],
    ['with ever new tokens', String, 2_000],
    ['with a token of 5 KB', () => 'x'.repeat(5_000), 1],
  ])('are given up if they continue without end: %s', async (_title, tokenAfter, pages) => {
    const { all, asked } = await readAll(tokenAfter);
    expect(all).toMatchObject({ kind: 'Unreadable', problem: { kind: 'Malformed' } });
    expect(asked).toHaveLength(pages);
  });
});

it('names are escaped', () => {
  const odd = '../x?y#z';
  expect(resourcePath('v1', 'pods', { namespace: odd })).toBe('/api/v1/namespaces/..%2Fx%3Fy%23z/pods');
  const expected = '/api/v1/namespaces/a/pods/..%2Fx%3Fy%23z/exec';
  expect(resourcePath('v1', 'pods', { namespace: 'a', name: odd }, 'exec')).toBe(expected);
});
