import { describe, expect, it } from 'vitest';
import { listJobs } from '../../../../src/kube/objects/jobs.ts';
import { listNodes } from '../../../../src/kube/objects/nodes.ts';
import { listObjects } from '../../../../src/kube/objects/objects.ts';
import { answered, forbidden, timedOut, transportWith } from '../../../builders/transport.ts';

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
