import { beforeAll, describe, expect, it } from 'vitest';
import { type Pod, protobufOf } from '../../../kit/emulator/index.ts';
import { messageOf, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const protobuf = 'application/vnd.kubernetes.protobuf';

const ask = (path: string, accept: string) => cluster.ask('GET', path, { headers: { accept } });

/** What the same request answers in protobuf, from what it answers in JSON. */
async function expected(path: string): Promise<string> {
  const { body } = await ask(path, 'application/json');
  return Buffer.concat([...protobufOf(body as object)]).toString('base64');
}

beforeAll(() => {
  for (const name of ['a', 'b', 'c']) cluster.place(name);
});

describe('protobuf', () => {
  it.each([pods, `${pods}?limit=2`, '/api/v1/pods?labelSelector=nosuch', `${pods}/a`])(
    'is the answer to GET %s',
    async (path) => {
      for (const accept of [protobuf, `${protobuf},application/json`, `${protobuf}, */*`]) {
        const answer = await ask(path, accept);
        expect(answer).toMatchObject({ status: 200, headers: { 'content-type': protobuf } });
        expect(answer.bodyBase64).toBe(await expected(path));
      }
    },
  );

  it('is what refusals are in, for any resource', async () => {
    for (const path of [`${pods}/nosuch`, '/apis/batch/v1/namespaces/demo/jobs/nosuch', '/nosuch']) {
      const answer = await ask(path, `${protobuf},application/json`);
      expect(answer).toMatchObject({ status: 404, headers: { 'content-type': protobuf } });
      expect(answer.bodyBase64).toBe(await expected(path));
    }
  });

  it('shows a pod as it is now', async () => {
    await ask(pods, protobuf);
    cluster.emulator.world.store.update<Pod>('pods', 'demo', 'b', (pod) => ({
      ...pod,
      status: { ...pod.status, reason: 'Changed' },
    }));
    const { bodyBase64 = '' } = await ask(pods, protobuf);
    expect(Buffer.from(bodyBase64, 'base64').includes('Changed')).toBe(true);
    expect(JSON.stringify((await ask(pods, 'application/json')).body)).toContain('"reason":"Changed"');
  });

  it('is not served of other resources: the answer is JSON, or a 406', async () => {
    const jobs = '/apis/batch/v1/jobs';
    expect((await ask(jobs, `${protobuf},application/json`)).body).toMatchObject({ kind: 'JobList' });
    const refused = await ask(jobs, protobuf);
    expect(refused).toMatchObject({ status: 406, headers: { 'content-type': 'application/json' } });
    expect(messageOf(refused)).toMatch(/^406: Not Acceptable/);
  });

  it('is never without a field that the emulator does not know: the answer is a 500', async () => {
    const spec = { containers: [], restartPolicy: 'Never', nosuch: true };
    const metadata = { namespace: 'odd', name: 'odd' };
    cluster.emulator.world.store.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec,
      status: {},
    });
    const answer = await ask('/api/v1/namespaces/odd/pods', protobuf);
    expect(answer.status).toBe(500);
    expect(messageOf(answer)).toContain('PodSpec has no field nosuch');
  });

  it('of many pods arrives whole, or not at all', async () => {
    for (let index = 0; index < 1000; index++) cluster.place(`many-${index}`, { namespace: 'many' });
    const path = '/api/v1/namespaces/many/pods';
    expect((await ask(path, protobuf)).bodyBase64).toBe(await expected(path));
    cluster.emulator.faults.add({ resource: 'pods' }, { kind: 'CutBody', bytes: 1_000_000 }, { times: 1 });
    await expect(ask(path, protobuf)).rejects.toThrow(/aborted/);
  });
});
