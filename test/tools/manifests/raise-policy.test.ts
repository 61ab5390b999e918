import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { expectRefused, messageOf, stage } from '../../cluster/emulator/server/stage.ts';
import { ensureObject, type Job } from '../../kit/emulator/index.ts';
import { folder } from './render.ts';

const cluster = stage();
const jobs = '/apis/batch/v1/namespaces/demo/jobs';

let token = '';
beforeAll(() => {
  const { world } = cluster.emulator;
  const file = readFileSync(`${folder('components/raise-backoff-limit')}/admission.yaml`, 'utf8');
  for (const document of parseAllDocuments(file)) ensureObject(world, document.toJS());
  token = cluster.emulator.serviceAccount({
    namespace: 'sidecar-sweeper',
    name: 'sidecar-sweeper',
    // More than the component grants: the policy holds whatever a role grants.
    rules: [{ apiGroups: ['batch'], resources: ['*'], verbs: ['*'] }],
    scope: 'Cluster',
  });
});

let created = 0;
/** Creates a Job, suspended so that more of it may be changed. */
function create(): string {
  const name = `job-${++created}`;
  cluster.emulator.world.createJob({
    metadata: { name, namespace: 'demo', labels: { app: 'report' }, annotations: { team: 'data' } },
    spec: {
      backoffLimit: 1,
      suspend: true,
      template: {
        spec: { restartPolicy: 'OnFailure', containers: [{ name: 'main', image: 'acme/report:3' }] },
      },
    },
  });
  return name;
}
const stored = (name: string) => cluster.emulator.world.store.get<Job>('jobs', 'demo', name);
const patch = (name: string, body: object, by?: string) =>
  cluster.ask('PATCH', `${jobs}/${name}`, { as: 'merge', body, token: by });

describe('the policy of the component raise-backoff-limit', () => {
  it('allows the very patch that a sweep sends', async () => {
    const name = create();
    const body = [
      { op: 'test', path: '/metadata/uid', value: stored(name)?.metadata.uid },
      { op: 'test', path: '/spec/backoffLimit', value: 1 },
      { op: 'replace', path: '/spec/backoffLimit', value: 2 },
    ];
    const answer = await cluster.ask('PATCH', `${jobs}/${name}`, { as: 'json', body, token });
    expect(answer).toMatchObject({ status: 200 });
    expect(stored(name)?.spec.backoffLimit).toBe(2);
  });

  it.each<readonly [what: string, change: object, message: RegExp]>([
    ['a lower limit', { spec: { backoffLimit: 0 } }, /only raise/],
    ['nothing', {}, /only raise/],
    ['something else alone', { spec: { suspend: false } }, /only raise/],
    [
      'a start as well',
      { spec: { backoffLimit: 2, suspend: false } },
      /only change the backoffLimit of a Job/,
    ],
    [
      'its parallelism as well',
      { spec: { backoffLimit: 2, parallelism: 5 } },
      /only change the backoffLimit of a Job/,
    ],
    [
      'its deadline as well',
      { spec: { backoffLimit: 2, activeDeadlineSeconds: 1 } },
      /only change the backoffLimit of a Job/,
    ],
    [
      'its TTL as well',
      { spec: { backoffLimit: 2, ttlSecondsAfterFinished: 0 } },
      /only change the backoffLimit of a Job/,
    ],
    ['a label as well', { metadata: { labels: { a: 'b' } }, spec: { backoffLimit: 2 } }, /metadata/],
    ['no annotations', { metadata: { annotations: null }, spec: { backoffLimit: 2 } }, /metadata/],
    ['a finalizer as well', { metadata: { finalizers: ['a/b'] }, spec: { backoffLimit: 2 } }, /metadata/],
  ])('refuses %s', async (_what, change, message) => {
    const name = create();
    const before = stored(name);
    expectRefused(await patch(name, change, token), message);
    expect(stored(name)?.spec).toEqual(before?.spec);
  });

  it.each<readonly [method: string, part: string, body: object | undefined]>([
    ['DELETE', '', undefined],
    ['PATCH', '/status', { status: { failed: 3 } }],
  ])('refuses %s of a Job%s', async (method, part, body) => {
    const name = create();
    const options = { token, ...(body && { as: 'merge' as const, body }) };
    expectRefused(await cluster.ask(method, `${jobs}/${name}${part}`, options), 'may only change Jobs');
    expect(stored(name)).toBeDefined();
  });

  it('refuses a new Job', async () => {
    const body = { ...stored(create()), metadata: { name: 'new', namespace: 'demo' }, status: undefined };
    expect(messageOf(await cluster.ask('POST', jobs, { body, token }))).toContain('may only change Jobs');
  });

  it('allows other accounts any change', async () => {
    const change = { metadata: { labels: { a: 'b' } }, spec: { backoffLimit: 0, suspend: false } };
    expect(await patch(create(), change)).toMatchObject({ status: 200 });
  });
});
