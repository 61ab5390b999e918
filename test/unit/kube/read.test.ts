import { describe, expect, it } from 'vitest';
import { listFailedPods, readJob, readNode, readPod } from '../../../src/kube/read.ts';
import type { Answer } from '../../../src/kube/transport.ts';
import type { Owner, PodRef } from '../../../src/vocabulary.ts';
import { apiPod } from '../../builders/api-pod.ts';
import { readRecording } from '../../builders/recordings.ts';
import { answered, serverTime, transportWith } from '../../builders/transport.ts';

const ref: PodRef = { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' };
const { signal } = new AbortController();

function notFound(): Answer {
  const { status = 0, body } = readRecording('get-pod-not-found').exchanges?.[0] ?? {};
  return answered(status, body);
}

const timedOut: Answer = { kind: 'Unanswered', problem: { kind: 'TimedOut', message: 'no answer' } };
const forbidden = answered(403, { kind: 'Status', status: 'Failure', message: 'is forbidden' });

describe('reading a pod', () => {
  const read = (answer: Answer) => readPod(transportWith(answer).transport, ref, signal);

  it('asks for it by name, with nothing in the path that the name did not mean', async () => {
    const { transport, asked } = transportWith(notFound());
    await readPod(transport, { namespace: 'a/b', name: '../x?y#z', uid: 'u' }, signal);
    expect(asked[0]?.path).toBe('/api/v1/namespaces/a%2Fb/pods/..%2Fx%3Fy%23z');
  });

  it('gives it, as of the server’s time', async () => {
    expect(await read(answered(200, apiPod()))).toMatchObject({
      kind: 'Present',
      pod: { ref },
      asOf: serverTime,
    });
  });

  it('tells another pod of the same name', async () => {
    const other = apiPod({ metadata: { uid: 'uid-2' } });
    expect(await read(answered(200, other))).toEqual({ kind: 'Replaced', uid: 'uid-2' });
  });

  it('tells that it is gone only when an API server says so', async () => {
    expect(await read(notFound())).toEqual({ kind: 'Gone' });
    expect(await read(answered(404, '404 page not found'))).toMatchObject({ kind: 'Unreadable' });
    expect(await read(answered(404, '<html>'))).toMatchObject({ kind: 'Unreadable' });
  });

  it.each<readonly [title: string, answer: Answer, problem: string]>([
    ['forbidden', forbidden, 'Forbidden'],
    ['not answered', timedOut, 'TimedOut'],
    ['a server error', answered(500, ''), 'Rejected'],
    ['a login page', answered(200, '<html>'), 'Malformed'],
    ['null', answered(200, 'null'), 'Malformed'],
    ['a Status with HTTP 200', answered(200, { kind: 'Status', status: 'Failure' }), 'Malformed'],
  ])('says why it cannot: %s', async (_title, answer, kind) => {
    expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
  });
});

describe('reading a Job', () => {
  const owner: Owner = { kind: 'Job', name: 'work', uid: 'job-1' };
  const read = (answer: Answer) => readJob(transportWith(answer).transport, 'demo', owner, signal);
  const job = (status: unknown, metadata: unknown = { uid: 'job-1' }) =>
    answered(200, { kind: 'Job', apiVersion: 'batch/v1', metadata, status });
  const condition = (type: string, status: string, reason?: string) => ({ type, status, reason });

  it('asks for it by name, with nothing in the path that the name did not mean', async () => {
    const { transport, asked } = transportWith(forbidden);
    await readJob(transport, 'demo', owner, signal);
    await readJob(transport, 'a/b', { ...owner, name: '../x?y#z' }, signal);
    expect(asked.map(({ path }) => path)).toEqual([
      '/apis/batch/v1/namespaces/demo/jobs/work',
      '/apis/batch/v1/namespaces/a%2Fb/jobs/..%2Fx%3Fy%23z',
    ]);
  });

  it.each<readonly [title: string, status: unknown, expected: object]>([
    [
      'that is complete',
      { conditions: [condition('Complete', 'True')] },
      { complete: true, failed: undefined },
    ],
    [
      'that has failed, and why',
      { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')] },
      { complete: false, failed: 'BackoffLimitExceeded' },
    ],
    [
      'that has failed without a reason',
      { conditions: [condition('Failed', 'True')] },
      { complete: false, failed: '' },
    ],
    [
      'that is about to be complete',
      { conditions: [condition('SuccessCriteriaMet', 'True', 'CompletionsReached')] },
      { complete: true, failed: undefined },
    ],
    [
      'that is about to have failed, and why',
      { conditions: [condition('FailureTarget', 'True', 'PodFailurePolicy')] },
      { complete: false, failed: 'PodFailurePolicy' },
    ],
    [
      'that has failed as it was about to',
      {
        conditions: [
          condition('FailureTarget', 'True', 'DeadlineExceeded'),
          condition('Failed', 'True', 'DeadlineExceeded'),
        ],
      },
      { complete: false, failed: 'DeadlineExceeded' },
    ],
    ['that is active', { active: 1 }, { complete: false, failed: undefined }],
    [
      'whose conditions do not hold',
      { conditions: [condition('Complete', 'False'), condition('Failed', 'Unknown')] },
      { complete: false, failed: undefined },
    ],
    [
      'that is suspended',
      { conditions: [condition('Suspended', 'True')] },
      { complete: false, failed: undefined },
    ],
    ['without a status', undefined, { complete: false, failed: undefined }],
  ])('%s', async (_title, status, expected) => {
    expect(await read(job(status))).toEqual({
      kind: 'Present',
      job: { ...expected, containers: [], uncounted: [] },
    });
  });

  it.each<readonly [title: string, spec: unknown, containers: readonly string[]]>([
    [
      'those of its template',
      { template: { spec: { containers: [{ name: 'a' }, { name: 'b' }] } } },
      ['a', 'b'],
    ],
    ['none without a template', {}, []],
    ['none when they are no list', { template: { spec: { containers: 'a' } } }, []],
    ['those with a name', { template: { spec: { containers: [null, { name: 7 }, { name: 'a' }] } } }, ['a']],
  ])('gives its containers: %s', async (_title, spec, containers) => {
    const answer = answered(200, { kind: 'Job', metadata: { uid: 'job-1' }, spec });
    expect(await read(answer)).toMatchObject({ kind: 'Present', job: { containers } });
  });

  it.each<readonly [title: string, uncountedTerminatedPods: unknown, uids: readonly string[]]>([
    ['that succeeded and that failed', { succeeded: ['a'], failed: ['b', 'c'] }, ['a', 'b', 'c']],
    ['that failed', { failed: ['b'] }, ['b']],
    ['none', {}, []],
    ['none, when something else stands there', { succeeded: 'a', failed: [7, null, 'b'] }, ['b']],
    ['none, when nothing is there', null, []],
  ])('tells which ended pods it has not counted: %s', async (_title, uncountedTerminatedPods, uids) => {
    expect(await read(job({ uncountedTerminatedPods }))).toMatchObject({ job: { uncounted: uids } });
  });

  it('tells that it is gone', async () => {
    expect(await read(notFound())).toEqual({ kind: 'Gone' });
  });

  it.each([[{ uid: 'job-2' }], [{}], [null]])(
    'takes one with metadata %j for another one',
    async (metadata) => {
      const complete = { conditions: [condition('Complete', 'True')] };
      expect(await read(job(complete, metadata))).toEqual({ kind: 'Gone' });
    },
  );

  it.each<readonly [title: string, answer: Answer, problem: string]>([
    ['forbidden', forbidden, 'Forbidden'],
    ['not answered', timedOut, 'TimedOut'],
    ['something else', answered(200, apiPod()), 'Malformed'],
    ['a login page', answered(200, '<html>'), 'Malformed'],
  ])('says why it cannot: %s', async (_title, answer, kind) => {
    expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
  });
});

describe('reading a node', () => {
  const read = (answer: Answer) => readNode(transportWith(answer).transport, 'node1', signal);
  const node = (...conditions: unknown[]) => answered(200, { kind: 'Node', status: { conditions } });

  it('asks for it by name', async () => {
    const { transport, asked } = transportWith(forbidden);
    await readNode(transport, 'a/b', signal);
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/nodes/a%2Fb']);
  });

  it.each<readonly [title: string, answer: Answer, reading: object]>([
    [
      'that is ready',
      node(
        { type: 'DiskPressure', status: 'False' },
        { type: 'Ready', status: 'True', reason: 'KubeletReady' },
      ),
      { kind: 'Ready' },
    ],
    [
      'that has gone silent',
      node({ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }),
      { kind: 'NotReady', reason: 'NodeStatusUnknown' },
    ],
    [
      'that says itself that it is not ready',
      node({ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }),
      { kind: 'NotReady', reason: 'KubeletNotReady' },
    ],
    ['that has not said anything yet', node(), { kind: 'NotReady', reason: 'NoReadyCondition' }],
    ['without a status', answered(200, { kind: 'Node' }), { kind: 'NotReady', reason: 'NoReadyCondition' }],
    ['whose object is gone', notFound(), { kind: 'NotReady', reason: 'NodeGone' }],
    ['that is forbidden', forbidden, { kind: 'Unreadable', problem: { kind: 'Forbidden' } }],
    ['that is not answered', timedOut, { kind: 'Unreadable', problem: { kind: 'TimedOut' } }],
    [
      'that is no Node',
      answered(200, { kind: 'Pod' }),
      { kind: 'Unreadable', problem: { kind: 'Malformed' } },
    ],
  ])('%s', async (_title, answer, reading) => {
    expect(await read(answer)).toMatchObject(reading);
  });
});

describe('listing the failed pods of Jobs', () => {
  const page = (name: string, token?: string) =>
    answered(200, {
      kind: 'PodList',
      metadata: { continue: token },
      items: [apiPod({ metadata: { name } }), 'no pod'],
    });

  it('reads all pages, of each namespace that is named, and passes over what is no pod', async () => {
    const { transport, asked } = transportWith(page('a', 'next'), page('b'), page('c'));
    const pods = await listFailedPods(transport, ['one', 'two'], signal);
    expect(pods.map((pod) => pod.ref.name)).toEqual(['a', 'b', 'c']);
    expect(asked.map(({ path, query }) => [path, query['continue']])).toEqual([
      ['/api/v1/namespaces/one/pods', undefined],
      ['/api/v1/namespaces/one/pods', 'next'],
      ['/api/v1/namespaces/two/pods', undefined],
    ]);
    expect(asked[0]?.query).toMatchObject({
      fieldSelector: 'status.phase=Failed',
      labelSelector: 'job-name',
    });
  });

  it('asks for all namespaces when none is named', async () => {
    const { transport, asked } = transportWith(page('a'));
    await listFailedPods(transport, [], signal);
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/pods']);
  });

  it.each([forbidden, timedOut, answered(200, 'null')])(
    'has none where they cannot be read: %#',
    async (answer) => {
      expect(await listFailedPods(transportWith(answer).transport, ['one'], signal)).toEqual([]);
    },
  );

  it('ends with a server whose pages never do', async () => {
    const tokens = Array.from({ length: 50 }, (_, index) => page(`pod-${index}`, `token-${index}`));
    const { transport, asked } = transportWith(page('first', 'start'), ...tokens);
    expect(await listFailedPods(transport, [], signal)).toHaveLength(asked.length);
    expect(asked.length).toBe(20);
  });
});
