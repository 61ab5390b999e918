import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { readTemplate } from '../../../../src/kube/objects/jobs.ts';
import { answered, forbidden, notFound, transportWith } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const owner = { kind: 'CronJob', name: 'report', uid: 'c-1' };
const read = (answer: Answer, of = owner) => readTemplate(transportWith(answer).transport, 'demo', of, abort);

const pod = {
  metadata: { annotations: { a: '1', b: 2 } },
  spec: {
    initContainers: [{ name: 'init' }, { name: 'mesh', restartPolicy: 'Always' }],
    containers: [{ name: 'main' }, { name: 'sidecar' }],
  },
};

describe('a template', () => {
  it.each([
    ['CronJob', '/apis/batch/v1/namespaces/demo/cronjobs/report'],
    ['Job', '/apis/batch/v1/namespaces/demo/jobs/report'],
  ])('of a %s is read by its name', async (kind, path) => {
    const { transport, asked } = transportWith(forbidden);
    await readTemplate(transport, 'demo', { ...owner, kind }, abort);
    expect(asked.map((one) => one.path)).toEqual([path]);
  });

  it('of a CronJob is in that of its Jobs', async () => {
    const spec = { jobTemplate: { spec: { template: pod } } };
    const cronJob = { kind: 'CronJob', metadata: { uid: 'c-1', generation: 3 }, spec };
    expect(await read(answered(200, cronJob))).toEqual({
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
    const reading = await read(answered(200, job), { kind: 'Job', name: 'report-1', uid: 'j-1' });
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
    expect(await read(answer)).toMatchObject(reading);
  });
});
