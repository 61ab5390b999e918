import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { listJobs, raiseBackoffLimit, readJob, readTemplate } from '../../../../src/kube/objects/jobs.ts';
import type { FailureRule, IndexLimits, JobView } from '../../../../src/model/job.ts';
import type { Owner } from '../../../../src/model/pod.ts';
import { jobView, onExitCodes, onPodConditions } from '../../../builders/job.ts';
import { template } from '../../../builders/stuck.ts';
import {
  abort,
  answered,
  forbidden,
  notFound,
  transportThatSends,
  transportWith,
} from '../../../builders/transport.ts';

const owner: Owner = { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' };
const read = (answer: Answer) => readJob(transportWith(answer).transport, 'demo', owner, abort);
const metadata = { uid: 'job-1' };
const readSpec = (spec: unknown, status: unknown = {}) =>
  read(answered(200, { kind: 'Job', metadata, spec, status }));
const is = (type: string, status = 'True', reason?: string) => ({ type, status, reason });

it('reads it by its escaped name', async () => {
  const { transport, asked } = transportWith(forbidden);
  await readJob(transport, 'a/b', { ...owner, name: '../x?y#z' }, abort);
  expect(asked[0]?.path).toBe('/apis/batch/v1/namespaces/a%2Fb/jobs/..%2Fx%3Fy%23z');
});

// biome-ignore format: one row a line
it.each<readonly [title: string, conditions: unknown, complete: boolean, failed: string | undefined]>([
  ['that is complete', [is('Complete')], true, undefined],
  ['that has failed, with the reason', [is('Failed', 'True', 'BackoffLimitExceeded')], false, 'BackoffLimitExceeded'],
  ['that has failed without a reason', [is('Failed')], false, ''],
  ['that is about to complete', [is('SuccessCriteriaMet', 'True', 'CompletionsReached')], true, undefined],
  ['that is about to fail', [is('FailureTarget', 'True', 'PodFailurePolicy')], false, 'PodFailurePolicy'],
  ['whose conditions are not True', [is('Complete', 'False'), is('Failed', 'Unknown')], false, undefined],
  ['that is suspended', [is('Suspended')], false, undefined],
  ['without conditions', undefined, false, undefined],
])('reads a Job %s', async (_title, conditions, complete, failed) => {
  const job = jobView({ complete, failed, containers: [], backoffLimit: 0, completions: undefined });
  expect(await readSpec(undefined, { conditions })).toEqual({ kind: 'Present', job });
});

const uncounted = (pods: unknown) => ({ uncountedTerminatedPods: pods });
const templateOf = (containers: unknown) => ({ template: { spec: { containers } } });
const retried = { backoffLimitPerIndex: 1 };
const failedOf = (failed: number): IndexLimits => ({ retries: 1, maxFailed: undefined, failed });

// biome-ignore format: one row a line
it.each<readonly [title: string, spec: object, status: object, expected: Partial<JobView>]>([
  ['the containers of its template', templateOf([{ name: 'a' }, { name: 'b' }]), {}, { containers: ['a', 'b'] }],
  ['no containers without a template', {}, {}, { containers: [] }],
  ['no containers that are not a list', templateOf('a'), {}, { containers: [] }],
  ['the containers with a name', templateOf([null, { name: 7 }, { name: 'a' }]), {}, { containers: ['a'] }],
  ['pods not counted', {}, uncounted({ succeeded: ['a'], failed: ['b'] }), { uncounted: ['a', 'b'] }],
  ['no pods not counted', {}, uncounted(null), { uncounted: [] }],
  ['only valid uids', {}, uncounted({ succeeded: 'a', failed: [7, null, 'b'] }), { uncounted: ['b'] }],
  ['its retries', { backoffLimit: 6 }, { failed: 2 }, { backoffLimit: 6, failedPods: 2 }],
  ['failed pods not counted', {}, { failed: 1, ...uncounted({ failed: ['a'] }) }, { failedPods: 2 }],
  // The server fills in its default; without it, no retry can be relied on.
  ['no retries without a limit', {}, {}, { backoffLimit: 0, failedPods: 0 }],
  ['no numbers in texts', { backoffLimit: '6' }, { failed: '2' }, { backoffLimit: 0, failedPods: 0 }],
  ['completions', { completions: 3 }, { succeeded: 2 }, { completions: 3, succeededPods: 2 }],
  ['a successPolicy', { successPolicy: { rules: [{ succeededIndexes: '0' }] } }, {}, { hasSuccessPolicy: true }],
  ['a work queue', { completions: null }, {}, { completions: undefined, succeededPods: 0 }],
  ['succeeded pods', {}, { succeeded: 1, ...uncounted({ succeeded: ['a'] }) }, { succeededPods: 2 }],
  ['odd completions', { completions: '3' }, { succeeded: '1' }, { completions: Number.POSITIVE_INFINITY, succeededPods: 0 }],
  ['no other controller', { managedBy: 'kubernetes.io/job-controller' }, {}, { otherController: undefined }],
  ['another controller', { managedBy: 'kueue.x-k8s.io/mk' }, {}, { otherController: 'kueue.x-k8s.io/mk' }],
  ['its failed indexes as ranges', {}, { failedIndexes: '1,3-5' }, { failedIndexes: [[1, 1], [3, 5]] }],
  ['no limits for each index without retries', { maxFailedIndexes: 3 }, { failedIndexes: '1' }, { perIndex: undefined }],
  ['no retries of an index', { backoffLimitPerIndex: 0 }, { failedIndexes: '' }, { perIndex: { ...failedOf(0), retries: 0 } }],
  ['how many indexes may fail', { ...retried, maxFailedIndexes: 3 }, { failedIndexes: '' }, { perIndex: { ...failedOf(0), maxFailed: 3 } }],
  ['one failed index', retried, { failedIndexes: '0' }, { perIndex: failedOf(1) }],
  ['ranges of failed indexes', retried, { failedIndexes: '1,3-5,7,10-11' }, { perIndex: failedOf(7) }],
  ['no failed indexes that are not written', retried, { failedIndexes: 7 }, { perIndex: failedOf(0) }],
])('returns %s', async (_title, spec, status, expected) => {
  expect(await readSpec(spec, status)).toMatchObject({ job: expected });
});

const exits = (operator: string, ...values: unknown[]) => ({ onExitCodes: { operator, values } });
const unknown: FailureRule = { action: 'FailJob', on: { kind: 'Unknown' } };
const disrupted = [{ type: 'DisruptionTarget' }, { type: 'Ready', status: 'False' }];

// biome-ignore format: one row a line
it.each<readonly [title: string, rules: unknown, failureRules: readonly FailureRule[]]>([
  ['one for a container', [{ action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'In', values: [42, 43] } }], [onExitCodes('FailJob', [42, 43], { container: 'main' })]],
  ['one for any container', [{ action: 'Ignore', ...exits('NotIn', 1) }], [onExitCodes('Ignore', [1], { operator: 'NotIn' })]],
  [
    'all, in their order',
    [{ action: 'Ignore', onPodConditions: disrupted }, { action: 'Count', ...exits('In', 2), onPodConditions: null }],
    [onPodConditions('Ignore', 'DisruptionTarget', 'Ready=False'), onExitCodes('Count', [2])],
  ],
  [
    'one that is malformed, as far as it can be read',
    [exits('In', 1, '2', 3.5), null, { action: 'FailJob', onPodConditions: [null, { status: 'True' }, { type: 'Ready', status: 7 }] }],
    [onExitCodes('', [1]), onPodConditions('FailJob', 'Ready')],
  ],
  ['one whose criterion is unknown', [exits('Between', 1), { onExitCodes: null }].map((of) => ({ action: 'FailJob', ...of })), [unknown, unknown]],
  ['none if they are not a list', 'FailJob', []],
])('returns the rules of its podFailurePolicy: %s', async (_title, rules, failureRules) => {
  expect(await readSpec({ podFailurePolicy: { rules } })).toMatchObject({ job: { failureRules } });
});

it.each<readonly [title: string, answer: Answer, reading: object]>([
  ['that does not exist is gone', notFound('work'), { kind: 'Gone' }],
  ['of another uid is gone', answered(200, { kind: 'Job', metadata: { uid: 'job-2' } }), { kind: 'Gone' }],
  ['without metadata is gone', answered(200, { kind: 'Job', metadata: null }), { kind: 'Gone' }],
  ['may be forbidden', forbidden, { kind: 'Unreadable', problem: { kind: 'Forbidden' } }],
])('a Job %s', async (_title, answer, reading) => {
  expect(await read(answer)).toMatchObject(reading);
});

it('in a list, each has its name and uid, and what a single read has', async () => {
  const job = { metadata: { name: 'work', uid: 'uid-1' }, spec: { backoffLimit: 3 }, status: { failed: 1 } };
  const { transport, asked } = transportWith(answered(200, { kind: 'JobList', items: [job, {}] }));
  expect(await listJobs(transport, 'a/b', undefined, abort)).toMatchObject({
    items: [
      { name: 'work', uid: 'uid-1', job: { backoffLimit: 3, failedPods: 1 } },
      { name: '', uid: '' },
    ],
  });
  expect(asked[0]?.path).toBe('/apis/batch/v1/namespaces/a%2Fb/jobs');
});

it('raises the limit by the recorded patch, with tests for the uid and the limit that was read', async () => {
  const { transport, sent } = transportThatSends(answered(200, {}));
  const uid = '5cda5ac2-6d6d-4625-b569-275bdcb7b7ee';
  const raised = { ...owner, name: 'raised', uid };
  const result = await raiseBackoffLimit(transport, 'bl2', raised, { from: 0, to: 2 }, abort);
  expect(result).toEqual({ kind: 'Written' });
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
    const expected = template({ nativeSidecars: ['mesh'], initContainers: 2, annotations: { a: '1' } });
    expect(await readOf(answered(200, found))).toEqual({ kind: 'Present', template: expected });
  });

  it('of a Job has the CronJob that started it', async () => {
    const reference = { apiVersion: 'batch/v1', ...cronJob, controller: true };
    const metadata = { uid: 'j-1', ownerReferences: [reference] };
    const job = { kind: 'Job', metadata, spec: { template: { spec: pod.spec } } };
    const reading = await readOf(answered(200, job), { kind: 'Job', name: 'report-1', uid: 'j-1' });
    const owner = { group: 'batch', kind: 'CronJob', name: 'report', uid: 'c-1' };
    expect(reading).toMatchObject({ template: { owner, hasMetadata: false, annotations: undefined } });
  });

  const other = answered(200, { kind: 'CronJob', metadata: { uid: 'x' } });

  it.each<readonly [title: string, answer: Answer, reading: object]>([
    ['of another object of that name is gone', other, { kind: 'Gone' }],
    ['that does not exist is gone', notFound('report'), { kind: 'Gone' }],
    ['may be forbidden', forbidden, { kind: 'Unreadable', problem: { kind: 'Forbidden' } }],
    ['may be something else', answered(200, {}), { problem: { message: 'not a CronJob' } }],
  ])('%s', async (_title, answer, reading) => {
    expect(await readOf(answer)).toMatchObject(reading);
  });
});
