import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/http/answer.ts';
import { readPodList } from '../../../../src/kube/pods/list-body.ts';
import { listPods } from '../../../../src/kube/pods/list-pods.ts';
import type { PodRef } from '../../../../src/model/pod.ts';
import type { Scope } from '../../../../src/model/scope.ts';
import type { ListPart } from '../../../../src/ports.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { answered, inChunks, serverTime, timedOut, transportWith } from '../../../builders/transport.ts';
import { protobufOf } from '../../../kit/emulator/index.ts';

const everything: Scope = { namespaces: [], labelSelector: undefined };

/** A page with one pod for each uid. */
function page(uids: readonly string[], token?: string): Answer {
  const items = uids.map((uid) => apiPod({ metadata: { name: uid, uid } }));
  return answered(200, { kind: 'PodList', apiVersion: 'v1', metadata: { continue: token }, items });
}

function expired(): Answer {
  return answered(410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, metadata: {} });
}

async function list(
  answers: readonly [Answer, ...Answer[]],
  scope = everything,
  isWanted?: (pod: PodRef) => boolean,
) {
  const { transport, asked } = transportWith(...answers);
  const parts: ListPart[] = [];
  const { signal } = new AbortController();
  for await (const part of listPods(transport, scope, signal, isWanted)) parts.push(part);
  return { parts, asked };
}

/** The uids in a list, page by page. */
function uidsOf(parts: readonly ListPart[]): readonly (readonly string[])[] {
  return parts.flatMap((part) => (part.kind === 'Page' ? [part.pods.map(({ ref }) => ref.uid)] : []));
}

describe('a list of wanted pods', () => {
  it.each([
    ['JSON', (list: object) => inChunks(JSON.stringify(list))],
    ['protobuf', (list: object) => Readable.from(protobufOf(list))],
  ])('leaves out all others in %s, and tells those that it cannot read', async (_form, bytesOf) => {
    const named = (name: string, more = {}): ReturnType<typeof apiPod> => ({
      ...apiPod({ metadata: { name, uid: name } }),
      ...more,
    });
    // The items of a list do not say what they are.
    const items = [named('a'), named('b'), named('broken', { spec: {} }), named('c')].map(
      ({ apiVersion: _apiVersion, kind: _kind, ...pod }) => pod,
    );
    const list = { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items };
    const { pods, malformed } = await readPodList(bytesOf(list), ({ uid }) => uid === 'b');
    expect(pods.map(({ ref }) => ref.uid)).toEqual(['b']);
    expect(malformed.map(({ name }) => name)).toEqual(['broken']);
  });

  it('has them from every page', async () => {
    const answers = [page(['a', 'b'], 'next'), page(['c', 'd'])] as const;
    const { parts } = await list(answers, everything, ({ uid }) => uid === 'b' || uid === 'c');
    expect(uidsOf(parts)).toEqual([['b'], ['c']]);
  });
});

describe('a list requests', () => {
  it('running pods that are meant to end, in all namespaces, in pages', async () => {
    const { asked } = await list([page([])]);
    expect(asked).toEqual([
      {
        path: '/api/v1/pods',
        query: { fieldSelector: 'status.phase=Running,spec.restartPolicy!=Always', limit: '500' },
      },
    ]);
  });

  it('all pods that have not ended if pending pods are included', async () => {
    const { asked } = await list([page([])], { ...everything, includePending: true });
    expect(asked[0]?.query['fieldSelector']).toBe(
      'status.phase!=Succeeded,status.phase!=Failed,spec.restartPolicy!=Always',
    );
  });

  it('each namespace of the scope, with its label selector', async () => {
    const { asked } = await list([page([])], { namespaces: ['jobs', 'etl'], labelSelector: 'app=x,tier!=y' });
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/jobs/pods',
      '/api/v1/namespaces/etl/pods',
    ]);
    expect(asked.map(({ query }) => query['labelSelector'])).toEqual(['app=x,tier!=y', 'app=x,tier!=y']);
  });

  it('the next page with the token of the last one', async () => {
    const { parts, asked } = await list([page(['a', 'b'], 'one'), page(['c'], 'two'), page(['d'])]);
    expect(asked.map(({ query }) => query['continue'])).toEqual([undefined, 'one', 'two']);
    expect(uidsOf(parts)).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('the next namespace if one cannot be read', async () => {
    const refused = answered(403, { kind: 'Status', status: 'Failure', message: 'pods is forbidden' });
    const { parts } = await list([refused, page(['b'])], {
      namespaces: ['a', 'demo'],
      labelSelector: undefined,
    });
    expect(parts).toMatchObject([
      { kind: 'Failed', namespace: 'a', problem: { kind: 'Forbidden', message: 'pods is forbidden' } },
      { kind: 'Page', pods: [{ ref: { uid: 'b' } }] },
    ]);
  });
});

describe('a page', () => {
  it('has the server’s time', async () => {
    const { parts } = await list([page(['a'])]);
    expect(parts).toMatchObject([{ kind: 'Page', asOf: serverTime }]);
  });

  it('may be empty without being the last', async () => {
    const { parts } = await list([page([], 'one'), page(['a'])]);
    expect(uidsOf(parts)).toEqual([[], ['a']]);
  });

  it('with a malformed item keeps the others, and reports the item', async () => {
    const broken = apiPod({ metadata: { name: 'broken' }, spec: { restartPolicy: null } });
    const { parts } = await list([answered(200, { kind: 'PodList', items: [apiPod(), broken, null, 'x'] })]);
    expect(parts).toMatchObject([
      {
        pods: [{ ref: { name: 'work-x2k9p' } }],
        malformed: [
          { namespace: 'demo', name: 'broken', problem: 'no restartPolicy' },
          { namespace: '', name: '', problem: 'not an object' },
          { namespace: '', name: '', problem: 'not an object' },
        ],
      },
    ]);
  });

  it('reports a malformed item with a one-line name without terminal control characters', async () => {
    const item = (metadata: Readonly<Record<string, unknown>>) =>
      apiPod({ metadata, spec: { containers: [] } });
    const items = [
      item({ namespace: { toString: 1 }, name: ['x'] }),
      item({ name: 'a\u001b[2J\nb' }),
      item({ name: 'x'.repeat(1_000) }),
    ];
    const [part] = (await list([answered(200, { kind: 'PodList', items })])).parts;
    const malformed = part?.kind === 'Page' ? part.malformed : [];
    expect(malformed.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
      '/',
      'demo/a [2J b',
      `demo/${'x'.repeat(253)}…`,
    ]);
  });

  it('is read even though a real cluster omits kind and apiVersion of items', async () => {
    const { kind: _kind, apiVersion: _version, ...item } = apiPod();
    const { parts } = await list([answered(200, { kind: 'PodList', apiVersion: 'v1', items: [item] })]);
    expect(uidsOf(parts)).toEqual([['uid-1']]);
  });
});

describe('a list', () => {
  it('that cannot be read is never empty', async () => {
    const { parts } = await list([answered(200, '<html>')]);
    expect(parts).toMatchObject([{ kind: 'Failed', namespace: undefined, problem: { kind: 'Malformed' } }]);
  });

  it('fails after the pages that were already read', async () => {
    const { parts } = await list([page(['a'], 'one'), timedOut]);
    expect(parts).toMatchObject([
      { kind: 'Page' },
      { kind: 'Failed', problem: { kind: 'TimedOut', message: 'no answer' } },
    ]);
  });

  it('that expires is reported as inconsistent, and returns no pod twice', async () => {
    const { parts } = await list([page(['a', 'b'], 'old'), expired(), page(['a', 'b', 'c'])]);
    expect(parts.map(({ kind }) => kind)).toEqual(['Page', 'Inconsistent', 'Page']);
    expect(uidsOf(parts)).toEqual([['a', 'b'], ['c']]);
  });
});
