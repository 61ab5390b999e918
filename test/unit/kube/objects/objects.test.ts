import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { listJobs } from '../../../../src/kube/objects/jobs.ts';
import { listNodes } from '../../../../src/kube/objects/nodes.ts';
import {
  everyPage,
  jobPath,
  jobsPath,
  listObjects,
  nodePath,
  nodesPath,
  podPath,
  podsPath,
  readNamed,
  readObject,
} from '../../../../src/kube/objects/objects.ts';
import type { ObjectPage, PageToken } from '../../../../src/model/reading.ts';
import {
  answered,
  forbidden,
  notFound,
  serverTime,
  timedOut,
  transportWith,
} from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const names = {
  path: '/things',
  kind: 'ThingList',
  pageSize: 2,
  narrow: (item: Readonly<Record<string, unknown>>) => item['name'],
};
const page = answered(200, {
  kind: 'ThingList',
  metadata: { continue: 'next', remainingItemCount: 1 },
  items: [{ name: 'a' }, { name: 'b' }],
});

describe('a page of a list', () => {
  it('has its items, and the token for the next one', async () => {
    const { transport, asked } = transportWith(page, answered(200, { kind: 'ThingList', items: [] }));
    expect(await listObjects(transport, names, undefined, abort)).toEqual({
      kind: 'Page',
      items: ['a', 'b'],
      token: 'next',
    });
    expect(await listObjects(transport, names, 'next', abort)).toEqual({
      kind: 'Page',
      items: [],
      token: undefined,
    });
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
    ['a list whose items are null', answered(200, { kind: 'ThingList', items: null }), 'Malformed'],
    [
      'a list with an item that is no object',
      answered(200, { kind: 'ThingList', items: ['a'] }),
      'Malformed',
    ],
    [
      'a list with an odd token',
      answered(200, { kind: 'ThingList', metadata: { continue: 5 }, items: [] }),
      'Malformed',
    ],
  ])('that is %s is a problem', async (_title, answer, kind) => {
    const { transport } = transportWith(answer);
    expect(await listObjects(transport, names, undefined, abort)).toMatchObject({
      kind: 'Unreadable',
      problem: { kind },
    });
  });
});

it('of Jobs, each has its name and uid, and what a single read has', async () => {
  const items = [
    { metadata: { name: 'work', uid: 'uid-1' }, spec: { backoffLimit: 3 }, status: { failed: 1 } },
    {},
  ];
  const { transport, asked } = transportWith(answered(200, { kind: 'JobList', items }));
  const jobs = await listJobs(transport, 'a/b', undefined, abort);
  expect(jobs).toMatchObject({
    items: [
      { name: 'work', uid: 'uid-1', job: { backoffLimit: 3, failedPods: 1 } },
      { name: '', uid: '' },
    ],
  });
  expect(asked[0]?.path).toBe('/apis/batch/v1/namespaces/a%2Fb/jobs');
});

it('of nodes, each has its name, and what a single read has', async () => {
  const conditions = [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }];
  const items = [{ metadata: { name: 'node1' }, status: { conditions } }];
  const { transport, asked } = transportWith(answered(200, { kind: 'NodeList', items }));
  expect(await listNodes(transport, undefined, abort)).toEqual({
    kind: 'Page',
    items: [{ name: 'node1', reading: { kind: 'NotReady', reason: 'NodeStatusUnknown' } }],
    token: undefined,
  });
  expect(asked[0]?.path).toBe('/api/v1/nodes');
});

describe('an object', () => {
  const node = { path: '/api/v1/nodes/node1', kind: 'Node', name: 'node1' };
  const read = (answer: Answer) => readObject(transportWith(answer).transport, '/api/v1/x', abort);
  const readNode = (answer: Answer) => readNamed(transportWith(answer).transport, node, abort);

  it('is read with the server’s time, whatever it is', async () => {
    const { transport, asked } = transportWith(answered(200, { kind: 'X' }), answered(200, '<html>'));
    const present = { kind: 'Present', body: { kind: 'X' }, asOf: serverTime };
    expect(await readObject(transport, '/api/v1/x', abort)).toEqual(present);
    expect(await readObject(transport, '/api/v1/x', abort)).toMatchObject({
      kind: 'Present',
      body: undefined,
    });
    expect(asked[0]).toEqual({ path: '/api/v1/x', query: {} });
  });

  it('is gone only if a Status from an API server is about it', async () => {
    expect(await read(notFound('node1'))).toEqual({ kind: 'Gone' });
    expect(await read(answered(404, '404 page not found'))).toMatchObject({ kind: 'Unreadable' });
    expect(await readNode(notFound('node1'))).toEqual({ kind: 'Gone' });
    expect(await readNode(notFound('cluster-1'))).toMatchObject({ kind: 'Unreadable' });
  });

  it.each<readonly [title: string, answer: Answer, problem: string]>([
    ['forbidden', forbidden, 'Forbidden'],
    ['not answered', timedOut, 'TimedOut'],
    ['a server error', answered(500, ''), 'Rejected'],
  ])('cannot be read: %s', async (_title, answer, kind) => {
    expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
    expect(await readNode(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
  });

  it.each<readonly [title: string, body: unknown, message: string | undefined]>([
    ['the one that was asked for', { kind: 'Node', metadata: { name: 'node1' } }, undefined],
    ['one that does not say its name', { kind: 'Node' }, undefined],
    ['another one', { kind: 'Node', metadata: { name: 'node2' } }, 'another Node'],
    ['one of another kind', { kind: 'Pod', metadata: { name: 'node1' } }, 'not a Node'],
    ['a page', '<html>', 'not a Node'],
  ])('of a kind and a name is read: %s', async (_title, body, message) => {
    const problem = { kind: 'Malformed', message };
    expect(await readNode(answered(200, body))).toMatchObject(
      message === undefined ? { kind: 'Present', body } : { kind: 'Unreadable', problem },
    );
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
    expect((await readAll(String, 2)).all).toMatchObject({
      kind: 'Unreadable',
      problem: { kind: 'TimedOut' },
    });
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

it.each([
  [podsPath(undefined), '/api/v1/pods'],
  [podsPath('demo'), '/api/v1/namespaces/demo/pods'],
  [podPath({ namespace: 'demo', name: 'work' }), '/api/v1/namespaces/demo/pods/work'],
  [podPath({ namespace: 'demo', name: 'work' }, 'exec'), '/api/v1/namespaces/demo/pods/work/exec'],
  [jobPath('demo', 'work'), '/apis/batch/v1/namespaces/demo/jobs/work'],
  [jobsPath('demo'), '/apis/batch/v1/namespaces/demo/jobs'],
  [nodesPath, '/api/v1/nodes'],
  [nodePath('node1'), '/api/v1/nodes/node1'],
])('%s', (path, expected) => {
  expect(path).toBe(expected);
});

it('names are escaped', () => {
  const odd = '../x?y#z';
  expect(podsPath(odd)).toBe('/api/v1/namespaces/..%2Fx%3Fy%23z/pods');
  expect(podPath({ namespace: odd, name: odd })).toBe(
    '/api/v1/namespaces/..%2Fx%3Fy%23z/pods/..%2Fx%3Fy%23z',
  );
  expect(jobPath(odd, odd)).toBe('/apis/batch/v1/namespaces/..%2Fx%3Fy%23z/jobs/..%2Fx%3Fy%23z');
  expect(nodePath(odd)).toBe('/api/v1/nodes/..%2Fx%3Fy%23z');
});
