import { describe, expect, it } from 'vitest';
import { listPods } from '../../../src/kube/list-pods.ts';
import type { Answer } from '../../../src/kube/transport.ts';
import type { ListPart } from '../../../src/ports.ts';
import type { Scope } from '../../../src/vocabulary.ts';
import { apiPod } from '../../builders/api-pod.ts';
import { readRecording } from '../../builders/recordings.ts';
import { answered, serverTime, transportWith } from '../../builders/transport.ts';

const everything: Scope = { namespaces: [], labelSelector: undefined };

/** A page with a pod for each uid. */
function page(uids: readonly string[], token?: string): Answer {
  const items = uids.map((uid) => apiPod({ metadata: { name: uid, uid } }));
  return answered(200, { kind: 'PodList', apiVersion: 'v1', metadata: { continue: token }, items });
}

function expired(token?: string): Answer {
  const metadata = token === undefined ? {} : { continue: token };
  return answered(410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, metadata });
}

async function list(answers: readonly [Answer, ...Answer[]], scope = everything) {
  const { transport, asked } = transportWith(...answers);
  const parts: ListPart[] = [];
  for await (const part of listPods(transport, scope, new AbortController().signal)) parts.push(part);
  return { parts, asked };
}

/** The uids that a list gave, page by page. */
function uidsOf(parts: readonly ListPart[]): readonly (readonly string[])[] {
  return parts.flatMap((part) => (part.kind === 'Page' ? [part.pods.map(({ ref }) => ref.uid)] : []));
}

describe('a list asks', () => {
  it('for running pods that are meant to end, in all namespaces, a page at a time', async () => {
    const { asked } = await list([page([])]);
    expect(asked).toEqual([
      {
        path: '/api/v1/pods',
        query: { fieldSelector: 'status.phase=Running,spec.restartPolicy!=Always', limit: '500' },
      },
    ]);
  });

  it('for pending pods too, and all that have not ended, when they are to be included', async () => {
    const { asked } = await list([page([])], { ...everything, includePending: true });
    expect(asked[0]?.query['fieldSelector']).toBe(
      'status.phase!=Succeeded,status.phase!=Failed,spec.restartPolicy!=Always',
    );
  });

  it('each namespace of the scope, with its labels', async () => {
    const { asked } = await list([page([])], { namespaces: ['jobs', 'etl'], labelSelector: 'app=x,tier!=y' });
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/jobs/pods',
      '/api/v1/namespaces/etl/pods',
    ]);
    expect(asked.map(({ query }) => query['labelSelector'])).toEqual(['app=x,tier!=y', 'app=x,tier!=y']);
  });

  it('for the next page with the token of the last one', async () => {
    const { parts, asked } = await list([page(['a', 'b'], 'one'), page(['c'], 'two'), page(['d'])]);
    expect(asked.map(({ query }) => query['continue'])).toEqual([undefined, 'one', 'two']);
    expect(uidsOf(parts)).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('in the next namespace when one could not be read', async () => {
    const refused = answered(403, { kind: 'Status', status: 'Failure', message: 'pods is forbidden' });
    const { parts } = await list([refused, page(['b'])], {
      namespaces: ['a', 'b'],
      labelSelector: undefined,
    });
    expect(parts).toMatchObject([
      { kind: 'Failed', namespace: 'a', problem: { kind: 'Forbidden', message: 'pods is forbidden' } },
      { kind: 'Page', pods: [{ ref: { uid: 'b' } }] },
    ]);
  });
});

describe('a page', () => {
  it('comes with the server’s time', async () => {
    const { parts } = await list([page(['a'])]);
    expect(parts).toMatchObject([{ kind: 'Page', asOf: serverTime }]);
  });

  it('may be empty and not the last', async () => {
    const { parts } = await list([page([], 'one'), page(['a'])]);
    expect(uidsOf(parts)).toEqual([[], ['a']]);
  });

  it('with an item that is no pod keeps the others, and names the one', async () => {
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

  it('names an odd item by what of its name is text, on one line that cannot steer a terminal', async () => {
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

  it('of a real cluster that leaves out kind and apiVersion of its items is read all the same', async () => {
    const { kind: _kind, apiVersion: _version, ...item } = apiPod();
    const { parts } = await list([answered(200, { kind: 'PodList', apiVersion: 'v1', items: [item] })]);
    expect(uidsOf(parts)).toEqual([['uid-1']]);
  });
});

describe('what is not a PodList is an error and never "no pods"', () => {
  it.each<readonly [title: string, body: unknown]>([
    ['HTML', '<!DOCTYPE html><html><title>Sign in</title></html>'],
    ['HTML after a blank line', '\n\n<html>'],
    ['an empty body', ''],
    ['null', 'null'],
    ['an empty array', '[]'],
    ['an empty object', '{}'],
    ['a number', '200'],
    ['text', 'ok'],
    ['JSON that was cut off', '{"kind":"PodList","items":['],
    ['a list of something else', { kind: 'SecretList', items: [] }],
    ['a Table', { kind: 'Table', rows: [] }],
    ['a PodList without items', { kind: 'PodList', metadata: {} }],
    ['a PodList whose items are null', { kind: 'PodList', items: null }],
    ['a PodList whose items are an object', { kind: 'PodList', items: {} }],
    ['items without a kind', { items: [] }],
    ['a Status', { kind: 'Status', status: 'Failure', message: 'something broke', code: 500 }],
  ])('%s', async (_title, body) => {
    const { parts, asked } = await list([answered(200, body)]);
    expect(parts).toMatchObject([{ kind: 'Failed', namespace: undefined, problem: { kind: 'Malformed' } }]);
    expect(asked).toHaveLength(1);
  });

  it('says what came instead', async () => {
    const message = async (body: unknown) => {
      const [part] = (await list([answered(200, body)])).parts;
      return part?.kind === 'Failed' ? part.problem.message : undefined;
    };
    expect(await message('<html>')).toContain('(HTML)');
    expect(await message('null')).toContain('(null)');
    expect(await message({ kind: 'Status', message: 'something broke' })).toContain('(something broke)');
    const long = await message(`\u001b[2J\n${'x'.repeat(100_000)}`);
    expect(long).toContain(`([2J ${'x'.repeat(76)}…)`);
    expect(long).not.toMatch(/\p{Cc}/u);
  });
});

describe('a list that the server refuses or does not answer', () => {
  it.each([
    ['unauthorized', 'Unauthorized'],
    ['list-bad-continue', 'Rejected'],
    ['list-bad-field-selector', 'Rejected'],
    ['list-forbidden', 'Forbidden'],
  ] as const)('%s: %s', async (recording, kind) => {
    const { status = 0, body } = readRecording(recording).exchanges?.[0] ?? {};
    const { parts } = await list([answered(status, body)]);
    expect(parts).toMatchObject([{ kind: 'Failed', problem: { kind } }]);
  });

  it('fails after the pages that were read before', async () => {
    const timedOut: Answer = { kind: 'Unanswered', problem: { kind: 'TimedOut', message: 'no answer' } };
    const { parts } = await list([page(['a'], 'one'), timedOut]);
    expect(parts).toMatchObject([
      { kind: 'Page' },
      { kind: 'Failed', problem: { kind: 'TimedOut', message: 'no answer' } },
    ]);
  });
});

describe('a token that expired', () => {
  it('is followed by the one in the answer, as a real cluster gives it, and the report is told', async () => {
    const { status = 0, body } = readRecording('list-expired-continue').exchanges?.[0] ?? {};
    const { parts, asked } = await list([page(['a'], 'old'), answered(status, body), page(['b'])]);
    expect(parts.map(({ kind }) => kind)).toEqual(['Page', 'Inconsistent', 'Page']);
    expect(asked.at(-1)?.query['continue']).toMatch(/^eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEs/);
  });

  it('without another one starts the list again, and gives no pod twice', async () => {
    const { parts, asked } = await list([page(['a', 'b'], 'old'), expired(), page(['a', 'b', 'c'])]);
    expect(asked.map(({ query }) => query['continue'])).toEqual([undefined, 'old', undefined]);
    expect(uidsOf(parts)).toEqual([['a', 'b'], ['c']]);
  });

  it('is understood in a Status that comes with HTTP 200', async () => {
    const status = { kind: 'Status', status: 'Failure', code: 410, metadata: { continue: 'fresh' } };
    const { asked } = await list([page(['a'], 'old'), answered(200, status), page(['b'])]);
    expect(asked.at(-1)?.query['continue']).toBe('fresh');
  });

  it('may be followed by four more, and the list still comes to its end', async () => {
    const five = [expired(), expired('b'), expired(), expired('d'), expired('e')] as const;
    const { parts } = await list([...five, page(['a'])]);
    expect(parts.map(({ kind }) => kind)).toEqual([...five.map(() => 'Inconsistent'), 'Page']);
  });

  it.each([
    ['without another one', [expired()]],
    ['with the same one', [expired('fresh')]],
    ['with another one each time', [1, 2, 3, 4, 5, 6, 7].map((number) => expired(`fresh-${number}`))],
    [
      'with pages in between',
      [page(['a'], 'old'), ...[1, 2, 3, 4, 5, 6, 7].flatMap((n) => [expired(), page([`${n}`], 'old')])],
    ],
  ] as const)('for the sixth time, %s, fails', async (_title, answers) => {
    const [first, ...more] = answers;
    const { parts } = await list([first, ...more]);
    expect(parts.filter(({ kind }) => kind === 'Inconsistent')).toHaveLength(6);
    expect(parts.at(-1)).toMatchObject({ kind: 'Failed', problem: { kind: 'Rejected' } });
  });

  it('lets the list that begins anew give its tokens again', async () => {
    const { parts } = await list([page(['a'], 'one'), expired(), page(['a'], 'one'), page(['b'])]);
    expect(parts.map(({ kind }) => kind)).toEqual(['Page', 'Inconsistent', 'Page', 'Page']);
    expect(uidsOf(parts)).toEqual([['a'], [], ['b']]);
  });
});

describe('tokens that go round would go on for ever, and the list fails', () => {
  it.each([
    ['one and the same', ['a'], 2],
    ['two by turns', ['a', 'b'], 3],
    ['three in a circle', ['a', 'b', 'c'], 4],
  ] as const)('%s', async (_title, circle, requests) => {
    const [first, ...more] = [...circle, ...circle].map((token, index) => page([`${index}`], token));
    if (!first) expect.fail('no page');
    const { parts, asked } = await list([first, ...more]);
    expect(parts.at(-1)).toMatchObject({ kind: 'Failed', problem: { kind: 'Malformed' } });
    expect(asked).toHaveLength(requests);
  });
});
