import { describe, expect, it } from 'vitest';
import {
  type Emulator,
  ensureNamespace,
  type Job,
  startEmulator,
  steppedClock,
} from '../../../kit/emulator/index.ts';
import { exchange } from '../../../kit/replay/client.ts';
import { type LightCluster, lightCluster, NAMESPACE, podManifest } from './support/light-cluster.ts';

const MINUTE = 60_000;

function cronJob(spec: Record<string, unknown>) {
  const containers = [{ name: 'main', image: 'docker.io/local/busybox:1' }];
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'cron', namespace: NAMESPACE },
    spec: { jobTemplate: { spec: { template: { spec: podManifest({ containers }).spec } } }, ...spec },
  };
}

/** A cluster with a CronJob whose pods run for some seconds, at the start of an hour. */
async function withCronJob(spec: Record<string, unknown>, seconds = 5): Promise<LightCluster> {
  const main = { ends: { exitCode: 0, after: seconds * 1000 } };
  const cluster = lightCluster({ main }, { cronJobs: true });
  await cluster.clock.advance(60 * MINUTE - (cluster.clock.now().getTime() % (60 * MINUTE)));
  cluster.world.store.create('cronjobs', cronJob(spec));
  return cluster;
}

const jobs = ({ world }: LightCluster) => world.store.list<Job>('jobs', NAMESPACE);

describe('A CronJob', () => {
  it.each([
    ['* * * * *', 30, 30],
    ['*/10 * * * *', 60, 6],
    ['5,20-22 * * * *', 60, 4],
    ['0 3 * * *', 24 * 60, 1],
    ['@hourly', 24 * 60, 24],
    ['0 0 29 2 *', 24 * 60, 0],
  ])('with the schedule %s starts, within %d minutes, %d Jobs', async (schedule, minutes, count) => {
    const cluster = await withCronJob({ schedule, successfulJobsHistoryLimit: 100 });
    await cluster.clock.advance(minutes * MINUTE + 30_000);
    expect(jobs(cluster)).toHaveLength(count);
  });

  it('owns its Jobs, names them by the minute, and keeps the last ones', async () => {
    const cluster = await withCronJob({ schedule: '* * * * *' });
    await cluster.clock.advance(10 * MINUTE + 30_000);
    expect(jobs(cluster)).toHaveLength(3);
    const at = Math.floor(cluster.clock.now().getTime() / MINUTE);
    const last = jobs(cluster).at(-1);
    expect(last?.metadata.name).toBe(`cron-${at}`);
    expect(last?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'CronJob', name: 'cron' });
    const status = cluster.world.store.get('cronjobs', NAMESPACE, 'cron')?.['status'];
    expect(status).toEqual({ lastScheduleTime: expect.any(String), lastSuccessfulTime: expect.any(String) });
  });

  it.each([
    ['Allow', 5],
    ['Forbid', 2],
    ['Replace', 1],
  ])('under %s has %d Jobs after five minutes if each takes three', async (concurrencyPolicy, count) => {
    const cluster = await withCronJob({ schedule: '* * * * *', concurrencyPolicy }, 190);
    await cluster.clock.advance(5 * MINUTE + 30_000);
    expect(jobs(cluster)).toHaveLength(count);
  });

  it('starts nothing while it is suspended', async () => {
    const cluster = await withCronJob({ schedule: '* * * * *', suspend: true });
    await cluster.clock.advance(5 * MINUTE);
    expect(jobs(cluster)).toEqual([]);
  });

  it('is a template for Jobs that are created by hand, even if nothing starts by itself', async () => {
    const clock = steppedClock();
    const emulator = await startEmulator({ clock });
    try {
      ensureNamespace(emulator.world, NAMESPACE);
      await post(emulator, 'cronjobs', cronJob({ schedule: '* * * * *' }));
      await clock.advance(5 * MINUTE);
      expect(emulator.world.store.list('jobs', NAMESPACE)).toEqual([]);
      const stored = emulator.world.store.get('cronjobs', NAMESPACE, 'cron') ?? expect.fail('not stored');
      const { jobTemplate } = stored['spec'] as ReturnType<typeof cronJob>['spec'];
      const { uid } = stored.metadata;
      const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'cron', uid, controller: true };
      const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual' };
      const metadata = { name: 'now', annotations, ownerReferences: [owner] };
      await post(emulator, 'jobs', { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobTemplate.spec });
      await clock.advance(5_000);
      expect(emulator.world.store.list('pods', NAMESPACE)).toHaveLength(1);
    } finally {
      await emulator.stop();
    }
  });
});

async function post(emulator: Emulator, resource: string, object: object): Promise<void> {
  const path = `/apis/batch/v1/namespaces/${NAMESPACE}/${resource}`;
  const answer = await exchange(emulator, { method: 'POST', path, body: JSON.stringify(object) });
  expect(answer.status).toBe(201);
}
