import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { raiseBackoffLimit, readJob, readTemplate } from '../../../../src/kube/objects/jobs.ts';
import type { FailureRule, IndexLimits } from '../../../../src/model/job.ts';
import type { Owner } from '../../../../src/model/pod.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { jobView, onExitCodes, onPodConditions } from '../../../builders/job.ts';
import {
  answered,
  forbidden,
  notFound,
  timedOut,
  transportThatSends,
  transportWith,
} from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const owner: Owner = { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' };
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
    job: jobView({ ...expected, containers: [], backoffLimit: 0, isWorkQueue: true }),
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

const withSpec = (spec: unknown, status: unknown = {}) =>
  read(answered(200, { kind: 'Job', metadata: { uid: 'job-1' }, spec, status }));

it.each<readonly [spec: object, status: object, backoffLimit: number, failedPods: number]>([
  [{ backoffLimit: 6 }, { failed: 2 }, 6, 2],
  [{ backoffLimit: 0 }, { failed: 0 }, 0, 0],
  [{ backoffLimit: 6 }, { failed: 1, uncountedTerminatedPods: { failed: ['uid-1'], succeeded: [] } }, 6, 2],
  [{ backoffLimit: 2_147_483_647 }, {}, 2_147_483_647, 0],
  // The server fills in its default; without it, no retry can be relied on.
  [{}, {}, 0, 0],
  [{ backoffLimit: '6' }, { failed: '2' }, 0, 0],
])('returns its retries and failed pods: %j, %j', async (spec, status, backoffLimit, failedPods) => {
  expect(await withSpec(spec, status)).toMatchObject({ job: { backoffLimit, failedPods } });
});

it.each<readonly [spec: object, status: object, isWorkQueue: boolean, succeededPods: number]>([
  [{ completions: 3 }, { succeeded: 2 }, false, 2],
  [
    { parallelism: 3 },
    { succeeded: 1, uncountedTerminatedPods: { succeeded: ['uid-1'], failed: [] } },
    true,
    2,
  ],
  [{ completions: null }, {}, true, 0],
  [{ completions: '3' }, { succeeded: '1' }, false, 0],
])(
  'returns whether it is a work queue, and its succeeded pods: %j, %j',
  async (spec, status, isWorkQueue, succeededPods) => {
    expect(await withSpec(spec, status)).toMatchObject({ job: { isWorkQueue, succeededPods } });
  },
);

it.each<readonly [managedBy: unknown, otherController: string | undefined]>([
  [undefined, undefined],
  ['kubernetes.io/job-controller', undefined],
  ['kueue.x-k8s.io/multikueue', 'kueue.x-k8s.io/multikueue'],
])('managed by %j, has another controller: %j', async (managedBy, otherController) => {
  expect(await withSpec({ managedBy })).toMatchObject({ job: { otherController } });
});

it('returns its failed indexes as ranges', async () => {
  const reading = await withSpec({}, { failedIndexes: '1,3-5' });
  expect(reading).toMatchObject({
    job: {
      failedIndexes: [
        [1, 1],
        [3, 5],
      ],
    },
  });
});

it.each<readonly [title: string, spec: object, status: object, limits: IndexLimits | undefined]>([
  ['none unless the Job has them', { maxFailedIndexes: 3 }, { failedIndexes: '1' }, undefined],
  ['its retries', { backoffLimitPerIndex: 1 }, {}, { retries: 1, maxFailed: undefined, failed: 0 }],
  ['no retries', { backoffLimitPerIndex: 0 }, {}, { retries: 0, maxFailed: undefined, failed: 0 }],
  [
    'how many may fail',
    { backoffLimitPerIndex: 1, maxFailedIndexes: 3 },
    { failedIndexes: '' },
    { retries: 1, maxFailed: 3, failed: 0 },
  ],
  [
    'one failed index',
    { backoffLimitPerIndex: 1 },
    { failedIndexes: '0' },
    expect.objectContaining({ failed: 1 }),
  ],
  [
    'ranges of failed indexes',
    { backoffLimitPerIndex: 1 },
    { failedIndexes: '1,3-5,7,10-11' },
    expect.objectContaining({ failed: 7 }),
  ],
  [
    'no failed indexes that are not written',
    { backoffLimitPerIndex: 1 },
    { failedIndexes: 7 },
    expect.objectContaining({ failed: 0 }),
  ],
])('returns the limits for each index: %s', async (_title, spec, status, perIndex) => {
  expect(await withSpec(spec, status)).toMatchObject({ job: { perIndex } });
});

it.each<readonly [title: string, rules: unknown, failureRules: readonly FailureRule[]]>([
  [
    'one for a container',
    [{ action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'In', values: [42, 43] } }],
    [onExitCodes('FailJob', [42, 43], { container: 'main' })],
  ],
  [
    'one for any container',
    [{ action: 'Ignore', onExitCodes: { operator: 'NotIn', values: [1] } }],
    [onExitCodes('Ignore', [1], { operator: 'NotIn' })],
  ],
  [
    'all, in their order',
    [
      {
        action: 'Ignore',
        onPodConditions: [{ type: 'DisruptionTarget' }, { type: 'Ready', status: 'False' }],
      },
      { action: 'FailIndex', onExitCodes: { containerName: null, operator: 'In', values: [1] } },
      { action: 'Count', onExitCodes: { operator: 'In', values: [2] }, onPodConditions: null },
    ],
    [
      onPodConditions('Ignore', 'DisruptionTarget', 'Ready=False'),
      onExitCodes('FailIndex', [1]),
      onExitCodes('Count', [2]),
    ],
  ],
  [
    'one that is malformed, as far as it can be read',
    [
      { onExitCodes: { operator: 'In', values: [1, '2', 3.5] } },
      null,
      { action: 'FailJob', onPodConditions: [null, { status: 'True' }, { type: 'Ready', status: 7 }] },
    ],
    [onExitCodes('', [1]), onPodConditions('FailJob', 'Ready')],
  ],
  [
    'one whose criterion is unknown',
    [
      { action: 'FailJob', onExitCodes: { operator: 'Between', values: [1] } },
      { action: 'FailJob', onExitCodes: null },
    ],
    [
      { action: 'FailJob', on: { kind: 'Unknown' } },
      { action: 'FailJob', on: { kind: 'Unknown' } },
    ],
  ],
  ['none without rules', [], []],
  ['none if they are not a list', 'FailJob', []],
])('returns the rules of its podFailurePolicy: %s', async (_title, rules, failureRules) => {
  expect(await withSpec({ podFailurePolicy: { rules } })).toMatchObject({ job: { failureRules } });
});

it('returns Gone if it does not exist', async () => {
  expect(await read(notFound('work'))).toEqual({ kind: 'Gone' });
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

it('raises the limit by the recorded patch, with tests for the uid and the limit that was read', async () => {
  const { transport, sent } = transportThatSends(answered(200, {}));
  const uid = '5cda5ac2-6d6d-4625-b569-275bdcb7b7ee';
  const raised = { ...owner, name: 'raised', uid };
  expect(await raiseBackoffLimit(transport, 'bl2', raised, { from: 0, to: 2 }, abort)).toEqual({
    kind: 'Written',
  });
  // Recorded: image-swap-onfailure-backoff-raised.
  expect(sent).toEqual([
    {
      method: 'PATCH',
      path: '/apis/batch/v1/namespaces/bl2/jobs/raised',
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'test', path: '/spec/backoffLimit', value: 0 },
        { op: 'replace', path: '/spec/backoffLimit', value: 2 },
      ],
    },
  ]);
});

it('says of a limit that was not raised that the Job has changed', async () => {
  const failed = { message: 'the server rejected our request due to an error in our request' };
  const { transport } = transportThatSends(answered(422, failed));
  const result = await raiseBackoffLimit(transport, 'demo', owner, { from: 0, to: 2 }, abort);
  expect(result).toEqual({ kind: 'Conflict', message: 'the Job changed before the patch' });
});

describe('a template', () => {
  const cronJob = { kind: 'CronJob', name: 'report', uid: 'c-1' };
  const readOf = (answer: Answer, of = cronJob) =>
    readTemplate(transportWith(answer).transport, 'demo', of, abort);
  const pod = {
    metadata: { annotations: { a: '1', b: 2 } },
    spec: {
      initContainers: [{ name: 'init' }, { name: 'mesh', restartPolicy: 'Always' }],
      containers: [{ name: 'main' }, { name: 'sidecar' }],
    },
  };

  it.each([
    ['CronJob', '/apis/batch/v1/namespaces/demo/cronjobs/report'],
    ['Job', '/apis/batch/v1/namespaces/demo/jobs/report'],
  ])('of a %s is read by its name', async (kind, path) => {
    const { transport, asked } = transportWith(forbidden);
    await readTemplate(transport, 'demo', { ...cronJob, kind }, abort);
    expect(asked.map((one) => one.path)).toEqual([path]);
  });

  it('of a CronJob is in that of its Jobs', async () => {
    const spec = { jobTemplate: { spec: { template: pod } } };
    const found = { kind: 'CronJob', metadata: { uid: 'c-1', generation: 3 }, spec };
    expect(await readOf(answered(200, found))).toEqual({
      kind: 'Present',
      template: {
        uid: 'c-1',
        owner: undefined,
        generation: 3,
        containers: ['main', 'sidecar'],
        nativeSidecars: ['mesh'],
        initContainers: 2,
        hasMetadata: true,
        annotations: { a: '1' },
      },
    });
  });

  it('of a Job has the CronJob that started it', async () => {
    const reference = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      name: 'report',
      uid: 'c-1',
      controller: true,
    };
    const metadata = { uid: 'j-1', ownerReferences: [reference] };
    const job = { kind: 'Job', metadata, spec: { template: { spec: pod.spec } } };
    const reading = await readOf(answered(200, job), { kind: 'Job', name: 'report-1', uid: 'j-1' });
    expect(reading).toMatchObject({
      template: {
        owner: { group: 'batch', kind: 'CronJob', name: 'report', uid: 'c-1' },
        hasMetadata: false,
        annotations: undefined,
      },
    });
  });

  it.each<readonly [title: string, answer: Answer, reading: object]>([
    [
      'of another object of that name is gone',
      answered(200, { kind: 'CronJob', metadata: { uid: 'x' } }),
      { kind: 'Gone' },
    ],
    ['that does not exist is gone', notFound('report'), { kind: 'Gone' }],
    ['may be forbidden', forbidden, { kind: 'Unreadable', problem: { kind: 'Forbidden' } }],
    [
      'may be something else',
      answered(200, {}),
      { kind: 'Unreadable', problem: { message: 'not a CronJob' } },
    ],
  ])('%s', async (_title, answer, reading) => {
    expect(await readOf(answer)).toMatchObject(reading);
  });
});
