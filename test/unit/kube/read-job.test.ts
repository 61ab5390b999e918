import { expect, it } from 'vitest';
import { readJob } from '../../../src/kube/read-job.ts';
import type { Answer } from '../../../src/kube/transport.ts';
import type { Owner } from '../../../src/vocabulary.ts';
import { apiPod } from '../../builders/api-pod.ts';
import { answered, forbidden, notFound, timedOut, transportWith } from '../../builders/transport.ts';

const { signal: abort } = new AbortController();
const owner: Owner = { kind: 'Job', name: 'work', uid: 'job-1' };
const read = (answer: Answer) => readJob(transportWith(answer).transport, 'demo', owner, abort);
const job = (status: unknown, metadata: unknown = { uid: 'job-1' }) =>
  answered(200, { kind: 'Job', apiVersion: 'batch/v1', metadata, status });
const condition = (type: string, status: string, reason?: string) => ({ type, status, reason });

it('reads it by its escaped name', async () => {
  const { transport, asked } = transportWith(forbidden);
  await readJob(transport, 'demo', owner, abort);
  await readJob(transport, 'a/b', { ...owner, name: '../x?y#z' }, abort);
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
    'that has failed, with the reason',
    { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')] },
    { complete: false, failed: 'BackoffLimitExceeded' },
  ],
  [
    'that has failed without a reason',
    { conditions: [condition('Failed', 'True')] },
    { complete: false, failed: '' },
  ],
  [
    'that is about to complete',
    { conditions: [condition('SuccessCriteriaMet', 'True', 'CompletionsReached')] },
    { complete: true, failed: undefined },
  ],
  [
    'that is about to fail, with the reason',
    { conditions: [condition('FailureTarget', 'True', 'PodFailurePolicy')] },
    { complete: false, failed: 'PodFailurePolicy' },
  ],
  [
    'that was about to fail and has failed',
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
    'whose conditions are not True',
    { conditions: [condition('Complete', 'False'), condition('Failed', 'Unknown')] },
    { complete: false, failed: undefined },
  ],
  [
    'that is suspended',
    { conditions: [condition('Suspended', 'True')] },
    { complete: false, failed: undefined },
  ],
  ['without a status', undefined, { complete: false, failed: undefined }],
])('reads a Job %s', async (_title, status, expected) => {
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
  ['none if they are not a list', { template: { spec: { containers: 'a' } } }, []],
  ['those with a name', { template: { spec: { containers: [null, { name: 7 }, { name: 'a' }] } } }, ['a']],
])('returns the containers of its template: %s', async (_title, spec, containers) => {
  const answer = answered(200, { kind: 'Job', metadata: { uid: 'job-1' }, spec });
  expect(await read(answer)).toMatchObject({ kind: 'Present', job: { containers } });
});

it.each<readonly [title: string, uncountedTerminatedPods: unknown, uids: readonly string[]]>([
  ['succeeded and failed ones', { succeeded: ['a'], failed: ['b', 'c'] }, ['a', 'b', 'c']],
  ['failed ones', { failed: ['b'] }, ['b']],
  ['none', {}, []],
  ['only valid uids', { succeeded: 'a', failed: [7, null, 'b'] }, ['b']],
  ['none if the field is null', null, []],
])('returns the ended pods that it has not counted: %s', async (_title, uncountedTerminatedPods, uids) => {
  expect(await read(job({ uncountedTerminatedPods }))).toMatchObject({ job: { uncounted: uids } });
});

it('returns Gone if it does not exist', async () => {
  expect(await read(notFound())).toEqual({ kind: 'Gone' });
});

it.each([[{ uid: 'job-2' }], [{}], [null]])(
  'treats a Job with metadata %j as another one',
  async (metadata) => {
    const complete = { conditions: [condition('Complete', 'True')] };
    expect(await read(job(complete, metadata))).toEqual({ kind: 'Gone' });
  },
);

it.each<readonly [title: string, answer: Answer, problem: string]>([
  ['forbidden', forbidden, 'Forbidden'],
  ['not answered', timedOut, 'TimedOut'],
  ['another kind', answered(200, apiPod()), 'Malformed'],
  ['a login page', answered(200, '<html>'), 'Malformed'],
])('returns why it cannot be read: %s', async (_title, answer, kind) => {
  expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
});
