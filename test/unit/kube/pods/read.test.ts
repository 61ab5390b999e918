import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import type { PodReader } from '../../../../src/kube/client/transport.ts';
import { findPods, listFailedPods, listJobPods, listPods, readLog } from '../../../../src/kube/pods/read.ts';
import type { Owner, PodRef } from '../../../../src/model/pod.ts';
import type { ListPart } from '../../../../src/model/ports.ts';
import type { Scope } from '../../../../src/model/scope.ts';
import { apiPod, apiStatus, inChunks, podListBytes } from '../../../builders/api-pod.ts';
import {
  abort,
  answered,
  forbidden,
  readOf,
  recorded,
  serverTime,
  timedOut,
  transportWith,
} from '../../../builders/transport.ts';

type Answers = readonly [Answer, ...Answer[]];

const everything: Scope = { namespaces: [], labelSelector: undefined };

function list(items: readonly unknown[], token?: string): Answer {
  return answered(200, { kind: 'PodList', apiVersion: 'v1', metadata: { continue: token }, items });
}

const numbered = (length: number) => Array.from({ length }, (_, index) => `uid-${index}`);
const podsOf = (uids: readonly string[]) => uids.map((uid) => apiPod({ metadata: { name: uid, uid } }));
const page = (uids: readonly string[], token?: string) => list(podsOf(uids), token);

function expired(token?: string): Answer {
  const metadata = token === undefined ? {} : { continue: token };
  return answered(410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, metadata });
}

async function collect(parts: AsyncIterable<ListPart>): Promise<readonly ListPart[]> {
  const collected: ListPart[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

async function paged(answers: Answers, scope = everything, isWanted?: (pod: PodRef) => boolean) {
  const { transport, asked } = transportWith(...answers);
  const parts = await collect(listPods(transport, scope, abort, isWanted));
  return { parts, asked, kinds: parts.map(({ kind }) => kind), uids: uidsOf(parts) };
}

async function found(answers: Answers, scope = everything) {
  const { transport, asked } = transportWith(...answers);
  const parts = await collect(findPods(transport, scope, abort));
  return { parts, asked, uids: uidsOf(parts) };
}

function uidsOf(parts: readonly ListPart[]): readonly (readonly string[])[] {
  return parts.flatMap((part) => (part.kind === 'Page' ? [part.pods.map(({ ref }) => ref.uid)] : []));
}

/** A transport that tries these bodies in turn until one can be read. */
function trying(...tries: readonly Buffer[]): PodReader {
  return {
    redact: (text) => text,
    async *read(path, query, take, stop) {
      let answer: Answer<never> = timedOut as Answer<never>;
      for (const body of tries) {
        const once = readOf(async () => ({ ...answered(200, ''), body }) as Answer<Uint8Array>);
        const tried = yield* once(path, query, take, stop);
        if (tried.kind === 'Answered' || !tried.problem.isFleeting) return tried;
        answer = tried;
      }
      return answer;
    },
  };
}

describe('the request for a list', () => {
  it('that finds pods is one for all of them, from the watch cache', async () => {
    const { asked, uids } = await found([page(['a', 'b'])]);
    const fieldSelector = 'status.phase=Running,spec.restartPolicy!=Always';
    expect(asked).toEqual([{ path: '/api/v1/pods', query: { fieldSelector, resourceVersion: '0' } }]);
    expect(uids).toEqual([['a', 'b']]);
  });

  it('that proves something is paged, each page with the token of the one before', async () => {
    const { asked, uids } = await paged([page(['a', 'b'], 'one'), page([], 'two'), page(['c'])]);
    const query = { fieldSelector: 'status.phase=Running,spec.restartPolicy!=Always', limit: '500' };
    const expected = [query, { ...query, continue: 'one' }, { ...query, continue: 'two' }];
    expect(asked.map((each) => each.query)).toEqual(expected);
    expect(uids).toEqual([['a', 'b'], [], ['c']]);
  });

  const notAlways = 'spec.restartPolicy!=Always';

  it.each<readonly [Partial<Scope>, string]>([
    [{ includePending: true }, `status.phase!=Succeeded,status.phase!=Failed,${notAlways}`],
    [{ excludeNamespaces: ['x'] }, `status.phase=Running,${notAlways},metadata.namespace!=x`],
    [{ labelSelector: 'app=x,tier!=y' }, `status.phase=Running,${notAlways}`],
  ])('has the selectors of the scope %j', async (scope, fieldSelector) => {
    const { asked } = await paged([page([])], { ...everything, ...scope });
    expect(asked[0]?.query['fieldSelector']).toBe(fieldSelector);
    expect(asked[0]?.query['labelSelector']).toBe(scope.labelSelector);
  });

  it('is made for each namespace, also after one that fails', async () => {
    const scope = { ...everything, namespaces: ['a', 'demo'] };
    const { parts, asked } = await paged([forbidden, page(['b'])], scope);
    const paths = ['/api/v1/namespaces/a/pods', '/api/v1/namespaces/demo/pods'];
    expect(asked.map(({ path }) => path)).toEqual(paths);
    expect(parts).toMatchObject([
      { kind: 'Failed', namespace: 'a', problem: { kind: 'Forbidden', message: 'is forbidden' } },
      { kind: 'Page', pods: [{ ref: { uid: 'b' } }] },
    ]);
  });

  it('for the next page is made only when it is wanted', async () => {
    const { transport, asked } = transportWith(page(['a'], 'one'), page(['b']));
    for await (const _ of listPods(transport, everything, abort)) break;
    expect(asked).toHaveLength(1);
  });

  it('is ended when no more pods are wanted', async () => {
    let isEnded = false;
    async function* bytes() {
      try {
        yield* inChunks(podListBytes(podsOf(numbered(600))));
      } finally {
        isEnded = true;
      }
    }
    const read: PodReader['read'] = (_path, _query, take) =>
      take(bytes(), { status: 200, date: serverTime }) as never;
    for await (const _ of findPods({ redact: (text) => text, read }, everything, abort)) break;
    expect(isEnded).toBe(true);
  });
});

describe('the parts of a list', () => {
  it.each([paged, found])('have the server’s time, even without pods: %o', async (how) => {
    const empty = { kind: 'Page', pods: [], malformed: [], asOf: serverTime };
    expect((await how([page([])])).parts).toMatchObject([empty]);
  });

  it('have at most 500 pods', async () => {
    const uids = numbered(1_100);
    const parts = await collect(findPods(trying(podListBytes(podsOf(uids))), everything, abort));
    expect(uidsOf(parts).map(({ length }) => length)).toEqual([500, 500, 100]);
    expect(uidsOf(parts).flat()).toEqual(uids);
  });

  it('have the names of pods of which no container has terminated, if they were found', async () => {
    const spec = { containers: [{ name: 'work' }] };
    const status = { containerStatuses: [apiStatus('work', { running: {} })] };
    const busy = apiPod({ metadata: { name: 'busy', uid: 'busy' }, spec, status });
    const ref = { namespace: 'demo', name: 'busy', uid: 'busy' };
    expect((await found([list([busy])])).parts).toMatchObject([{ pods: [], atWork: [ref] }]);
    expect((await paged([list([busy])])).uids).toEqual([['busy']]);
  });

  it('have only the wanted pods, and those that cannot be read', async () => {
    const broken = apiPod({ metadata: { name: 'broken' }, spec: { restartPolicy: '' } });
    const answers = [list([...podsOf(['a', 'b']), broken], 'next'), page(['c', 'd'])] as const;
    const { uids, parts } = await paged(answers, everything, ({ uid }) => uid === 'b' || uid === 'c');
    expect(uids).toEqual([['b'], ['c']]);
    const malformed = { namespace: 'demo', name: 'broken', problem: 'no restartPolicy' };
    expect(parts[0]).toMatchObject({ malformed: [malformed] });
  });

  it('continue on pages if something in between splits a list of its own accord', async () => {
    const { asked, uids } = await found([page(['a'], 'one'), page(['b'])]);
    expect(uids).toEqual([['a'], ['b']]);
    expect(asked[1]?.query).toMatchObject({ continue: 'one', limit: '500' });
    expect(asked[1]?.query['resourceVersion']).toBeUndefined();
  });
});

describe('pods that were not asked for', () => {
  const podIn = (namespace: string, name: string, labels = {}) =>
    apiPod({ metadata: { namespace, name, uid: name, labels } });
  const busy = { containerStatuses: ['main', 'sidecar'].map((name) => apiStatus(name, { running: {} })) };
  const items = [
    podIn('jobs', 'a', { team: 'x' }),
    podIn('etl', 'b'),
    { ...podIn('etl', 'c'), status: busy },
  ];

  // biome-ignore format: one row a line
  it.each<readonly [title: string, scope: Partial<Scope>, named: readonly string[], problem: string]>([
    ['none of a list of everything', {}, ['a', 'b', 'c'], ''],
    ['those of other namespaces', { namespaces: ['jobs'] }, ['a'], 'namespace jobs'],
    ['those whose labels are known', { labelSelector: 'team=x' }, ['a', 'c'], 'team=x, which it does not match'],
  ])('are dropped and reported: %s', async (_title, scope, named, problem) => {
    const [page] = (await found([list(items)], { ...everything, ...scope })).parts;
    if (page?.kind !== 'Page') expect.fail('it is not a page');
    const refs = [...page.pods.map(({ ref }) => ref), ...page.atWork];
    expect(refs.map(({ name }) => name)).toEqual(named);
    const dropped = ['b', 'c'].filter((name) => !named.includes(name));
    const expected = dropped.map((name) => {
      return { namespace: 'etl', name, problem: `it was in the answer to a list of ${problem}` };
    });
    expect(page.malformed).toEqual(expected);
  });
});

it('pods that were seen are given once, or they would be swept twice; those without a name are not confused', async () => {
  const broken = (name: string) => apiPod({ metadata: { name, uid: name }, spec: { restartPolicy: '' } });
  const busyStatus = ['main', 'sidecar'].map((name) => apiStatus(name, { running: {} }));
  const busy = apiPod({ metadata: { name: 'c', uid: 'c' }, status: { containerStatuses: busyStatus } });
  const items = (name: string) => [...podsOf(['a', name, 'a']), busy, busy, broken('x'), broken('x'), {}, {}];
  const { parts } = await found([list(items('b'), 'next'), list(items('d'))]);
  const named = parts.map((part) => {
    if (part.kind !== 'Page') expect.fail('it is not a page');
    return [...part.pods.map(({ ref }) => ref), ...part.atWork, ...part.malformed].map(({ name }) => name);
  });
  expect(named).toEqual([
    ['a', 'b', 'c', 'x', '', ''],
    ['d', '', ''],
  ]);
});

it('a list that is cut, and whole the next time, gives every pod once', async () => {
  const uids = numbered(1_600);
  const long = podListBytes(podsOf(uids));
  const tries = [long.subarray(0, long.length * 0.7), long.subarray(0, 0.4 * long.length), long];
  expect(uidsOf(await collect(findPods(trying(...tries), everything, abort))).flat()).toEqual(uids);
});

describe('an answer that is not a PodList is an error, never "no pods":', () => {
  const broken = { kind: 'Status', status: 'Failure', message: 'something broke', code: 500 };
  it.each<readonly [title: string, body: unknown, message: string]>([
    ['HTML', '<!DOCTYPE html><html><title>Sign in</title></html>', '(HTML)'],
    ['an empty body', '', ''],
    ['null', 'null', '(null)'],
    ['a list of another kind', { kind: 'SecretList', items: [] }, 'SecretList'],
    ['a Status', broken, '(something broke)'],
    ['a list in JSON', '{"kind":"PodList","metadata":{},"items":[]}x', 'did not answer in protobuf'],
    ['half a list in JSON', '{\n  "kind": "PodList",\n"items":[{', 'does a proxy change the Accept header?'],
    ['long text', `\u001b[2J\n${'x'.repeat(100_000)}`, `([2J ${'x'.repeat(76)}…)`],
  ])('%s', async (_title, body, message) => {
    const { parts, asked } = await paged([answered(200, body)]);
    const problem = { kind: 'Malformed', message: expect.stringContaining(message) };
    expect(parts).toMatchObject([{ kind: 'Failed', problem }]);
    expect(JSON.stringify(parts)).not.toMatch(/\p{Cc}/u);
    expect(asked).toHaveLength(1);
  });

  it('a server without protobuf, as it refuses the request', async () => {
    const body = { ...broken, message: 'only the following…', reason: 'NotAcceptable', code: 406 };
    const problem = { kind: 'Malformed', message: expect.stringContaining('did not answer in protobuf') };
    expect((await found([answered(406, body)])).parts).toMatchObject([{ problem }]);
  });

  it.each([
    ['unauthorized', 'Unauthorized'],
    ['list-bad-continue', 'Rejected'],
    ['list-bad-field-selector', 'Rejected'],
    ['list-forbidden', 'Forbidden'],
  ] as const)('a recorded refusal, %s: %s', async (recording, kind) => {
    const { parts } = await paged([recorded(recording)]);
    expect(parts).toMatchObject([{ kind: 'Failed', problem: { kind } }]);
  });

  it('after the pages that could be read', async () => {
    const failed = { kind: 'Failed', problem: { kind: 'TimedOut', message: 'no answer' } };
    expect((await paged([page(['a'], 'one'), timedOut])).parts).toMatchObject([{ kind: 'Page' }, failed]);
  });
});

describe('a list that expires', () => {
  it('continues with the token in the answer, as from a real cluster', async () => {
    const answers = [page(['a'], 'old'), recorded('list-expired-continue'), page(['b'])] as const;
    const { kinds, asked } = await paged(answers);
    expect(kinds).toEqual(['Page', 'Inconsistent', 'Page']);
    expect(asked.at(-1)?.query['continue']).toMatch(/^eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEs/);
  });

  const status = { kind: 'Status', status: 'Failure', code: 410, metadata: { continue: 'fresh' } };
  const five = [expired(), expired('b'), expired(), expired('d'), expired('e')] as const;

  // biome-ignore format: one row a line
  it.each<readonly [title: string, Answers, tokens: readonly (string | undefined)[], uids: readonly (readonly string[])[]]>([
    ['starts again without a token, and gives no pod twice', [page(['a', 'b'], 'old'), expired(), page(['a', 'b', 'c'])], [undefined, 'old', undefined], [['a', 'b'], ['c']]],
    ['is recognised by a Status with HTTP 200', [page(['a'], 'old'), answered(200, status), page(['b'])], [undefined, 'old', 'fresh'], [['a'], ['b']]],
    ['may reuse its tokens when it starts again', [page(['a'], 'one'), expired(), page(['a'], 'one'), page(['b'])], [undefined, 'one', undefined, 'one'], [['a'], [], ['b']]],
    ['may expire five times', [...five, page(['a'])], [undefined, undefined, 'b', undefined, 'd', 'e'], [['a']]],
  ])('%s', async (_title, answers, tokens, uids) => {
    const found = await paged(answers);
    expect([found.asked.map(({ query }) => query['continue']), found.uids]).toEqual([tokens, uids]);
  });

  it('is paged if it was to be found', async () => {
    expect((await found([expired(), page(['a'])])).uids).toEqual([['a']]);
  });

  const seven = [1, 2, 3, 4, 5, 6, 7];

  // biome-ignore format: one row a line
  it.each([
    ['without a token', [expired()]],
    ['with the same token', [expired('fresh')]],
    ['with a new token each time', seven.map((number) => expired(`fresh-${number}`))],
    ['with pages in between', [page(['a'], 'old'), ...seven.flatMap((n) => [expired(), page([`${n}`], 'old')])]],
  ] as const)('fails the sixth time, %s', async (_title, [first, ...more]) => {
    const { kinds, parts } = await paged([first ?? expired(), ...more]);
    expect(kinds.filter((kind) => kind === 'Inconsistent')).toHaveLength(6);
    expect(parts.at(-1)).toMatchObject({ kind: 'Failed', problem: { kind: 'Rejected' } });
  });
});

describe('the list of the pods of a Job', () => {
  const owner: Owner = { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' };
  const labels = { 'controller-uid': 'job-1' };

  function podOf(name: string, uid: string, restartCount = 0, namespace = 'demo'): object {
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid, controller: true }];
    const metadata = { namespace, name, uid: name, labels, ownerReferences };
    const statusOf = (container: string) => apiStatus(container, { running: {} }, { restartCount });
    const initContainerStatuses = [statusOf('setup')];
    const containerStatuses = [statusOf('main'), statusOf('sidecar')];
    return apiPod({ metadata, status: { initContainerStatuses, containerStatuses } });
  }

  async function ofJob(...answers: Answers) {
    const { transport, asked } = transportWith(...answers);
    const reading = await listJobPods(transport, 'demo', owner, abort);
    const pods = reading.kind === 'Read' ? reading.items : undefined;
    return { pods: pods?.map(({ ref, restarts }) => `${ref.name} ${restarts}`), asked };
  }

  it('asks for the label that every version sets, and leaves out pods that have ended', async () => {
    const { pods, asked } = await ofJob(list([podOf('a', 'job-1')], 'next'), list([podOf('b', 'job-1', 2)]));
    expect(pods).toEqual(['a 0', 'b 6']);
    const fieldSelector = 'status.phase!=Succeeded,status.phase!=Failed';
    const query = { labelSelector: 'controller-uid=job-1', fieldSelector, limit: '500' };
    const path = '/api/v1/namespaces/demo/pods';
    expect(asked).toEqual([
      { path, query },
      { path, query: { ...query, continue: 'next' } },
    ]);
  });

  it('has no pods that only bear the label', async () => {
    const orphan = apiPod({ metadata: { name: 'b', uid: 'b', labels } });
    expect((await ofJob(list([podOf('a', 'job-2'), orphan]))).pods).toEqual([]);
  });

  it('has each pod once, as it was seen last, if it expires', async () => {
    const again = list([podOf('a', 'job-1', 1), podOf('b', 'job-1')]);
    expect((await ofJob(list([podOf('a', 'job-1')], 'old'), expired(), again)).pods).toEqual(['a 3', 'b 0']);
  });

  it.each<readonly [title: string, answers: Answers]>([
    ['is forbidden', [forbidden]],
    ['gets no answer', [timedOut]],
    ['is not a list', [answered(200, 'null')]],
    ['has a page that cannot be read', [list([podOf('a', 'job-1')], 'next'), forbidden]],
    ['expires again and again', [expired()]],
    ['has a pod of another namespace', [list([podOf('a', 'job-1'), podOf('b', 'job-2', 0, 'other')])]],
    ['has a pod without the label', [list([podOf('a', 'job-1'), apiPod()])]],
    ['has an item that is not a pod', [list([podOf('a', 'job-1'), 'not a pod'])]],
  ])('is unknown if it %s: a restart may be missing', async (_title, answers) => {
    expect((await ofJob(...answers)).pods).toBeUndefined();
  });
});

describe('the list of failed pods', () => {
  function failed(name: string, metadata: object = {}, phase = 'Failed'): object {
    const labels = { 'job-name': 'work' };
    const own = { namespace: 'one', name, uid: name, labels, ...metadata };
    return apiPod({ metadata: own, status: { phase } });
  }

  async function failedIn(...answers: Answers) {
    const { transport, asked } = transportWith(...answers);
    const reading = await listFailedPods(transport, 'one', abort);
    return { reading, asked, names: reading.kind === 'Read' && reading.items.map(({ ref }) => ref.name) };
  }

  it('has those of a namespace', async () => {
    const { names, asked } = await failedIn(list([failed('a')], 'next'), list([failed('c')]));
    expect(names).toEqual(['a', 'c']);
    const query = { fieldSelector: 'status.phase=Failed', labelSelector: 'job-name', limit: '500' };
    expect(asked[0]).toEqual({ path: '/api/v1/namespaces/one/pods', query });
    expect(asked.map(({ query }) => query['continue'])).toEqual([undefined, 'next']);
  });

  it.each<readonly [title: string, problem: string, answers: Answers]>([
    ['is forbidden', 'Forbidden', [forbidden]],
    ['has a pod of another namespace', 'Malformed', [list([failed('a', { namespace: 'two' })])]],
    ['has a pod of no Job', 'Malformed', [list([failed('a', { labels: {} })])]],
  ])('is unknown if it %s: one more failure may be missing', async (_title, kind, answers) => {
    expect((await failedIn(...answers)).reading).toMatchObject({ kind: 'Unreadable', problem: { kind } });
  });

  it('has each failed pod once', async () => {
    const items = [failed('asked'), failed('still-running', {}, 'Running')];
    expect((await failedIn(list(items, 'old'), expired(), list(items))).names).toEqual(['asked']);
  });

  it('ends after 10,000 pods, and is unknown then', async () => {
    const ofPage = (index: number) => Array.from({ length: 500 }, (_, pod) => failed(`pod-${index}-${pod}`));
    const pages = Array.from({ length: 22 }, (_, index) => list(ofPage(index), `token-${index}`));
    const { reading, asked } = await failedIn(list([], 'start'), ...pages);
    expect([reading, asked.length]).toMatchObject([{ problem: { kind: 'TooLarge' } }, 21]);
  });
});

const ref = { namespace: 'demo', name: 'work-x2k9p' };
const read = (answer: Answer, lines = 3) =>
  readLog(transportWith(answer).transport, ref, 'sidecar', lines, abort);
/** What the API server answers, which is not JSON. */
const log = (body: string): Answer => ({ ...answered(200, {}), body }) as Answer;

it.each<readonly [title: string, body: string, lines: readonly string[]]>([
  ['is empty', '', []],
  ['ends with a line break', 'one\ntwo\n', ['one', 'two']],
  ['ends without one', 'one\n\ntwo', ['one', '', 'two']],
  ['has more lines than are wanted', 'one\ntwo\nthree\nfour\n', ['two', 'three', 'four']],
  ['has long lines', 'x'.repeat(2_000), [`${'x'.repeat(512)}…`]],
  ['could control a terminal', '\u001b[31mred\r\n', ['[31mred']],
])('reads a log that %s', async (_title, body, lines) => {
  expect(await read(log(body))).toEqual({ kind: 'Read', lines });
});

it('asks for fewer lines if they are so long that the limit in bytes takes the last ones away', async () => {
  const { transport, asked } = transportWith(log(`one ${'x'.repeat(3_068)}`), log('two\nlast\n'));
  const reading = await readLog(transport, ref, 'sidecar', 3, abort);
  expect(reading).toEqual({ kind: 'Read', lines: ['two', 'last'] });
  const path = '/api/v1/namespaces/demo/pods/work-x2k9p/log';
  const queries = ['3', '2'].map((tailLines) => ({ container: 'sidecar', tailLines, limitBytes: '3072' }));
  expect(asked).toEqual(queries.map((query) => ({ path, query })));
});

it('what was sent to prove who we are is taken out of the lines', async () => {
  const { transport } = transportWith(log('before\nAuthorization: Bearer s3cr3t-t0ken\n'));
  const redact = (text: string) => text.replaceAll('s3cr3t-t0ken', '[redacted]');
  const reading = await readLog({ ...transport, redact }, ref, 'sidecar', 3, abort);
  expect(reading).toEqual({ kind: 'Read', lines: ['before', 'Authorization: Bearer [redacted]'] });
});

it.each([
  [forbidden, 'Forbidden'],
  [timedOut, 'TimedOut'],
])('says why it cannot be read', async (answer, kind) => {
  expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
});
