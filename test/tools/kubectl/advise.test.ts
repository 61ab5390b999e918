import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Advice } from '../../../src/report/advise.ts';
import { BEHAVIOUR_ANNOTATION, ensureNamespace, type Job, type Pod } from '../../kit/emulator/index.ts';
import { describeUnless, missingPrograms } from '../../kit/needs.ts';
import { hasEndedMain } from '../../kit/random/read-pod.ts';
import { temporaryFolder } from '../../kit/started.ts';
import { TestCluster } from '../../kit/stuck-pods.ts';

const annotations = {
  'sidecar-sweeper.dev/sidecars': 'log-shipper,metrics',
  [BEHAVIOUR_ANNOTATION]: JSON.stringify({ main: { ends: { exitCode: 0, after: 50 } } }),
};
const spec = {
  restartPolicy: 'Never',
  containers: [
    { name: 'log-shipper', image: 'docker.io/acme/shipper:1' },
    { name: 'main', image: 'docker.io/acme/work:1' },
    { name: 'metrics', image: 'docker.io/prom/statsd-exporter:v0.28.0' },
  ],
};

const cronJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'report', namespace: 'demo' },
  spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { metadata: { annotations }, spec } } } },
};

const barePod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'import', namespace: 'demo', annotations },
  spec,
};

const patient = { timeout: 30_000 };

describeUnless(missingPrograms('kubectl'), 'advise, through the built command', () => {
  const cluster = TestCluster.startedOnce();
  const folder = temporaryFolder('advise');
  let kubeconfig: string;

  beforeAll(async () => {
    ensureNamespace(cluster.emulator.world, 'demo');
    kubeconfig = await cluster.kubeconfig();
    await create(cronJob);
    await create(barePod);
    await start('first');
    await vi.waitFor(() => expect(pods().filter(hasEndedMain)).toHaveLength(2), patient);
  });

  const store = () => cluster.emulator.world.store;
  const pods = () => store().list<Pod>('pods', 'demo');

  /** Runs a line in a shell, as a user who pastes it. */
  async function shell(line: string): Promise<string> {
    const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', KUBECONFIG: kubeconfig } };
    return (await promisify(execFile)('sh', ['-c', line], options)).stdout;
  }

  async function create(object: object): Promise<void> {
    const file = join(folder, 'object.json');
    await writeFile(file, JSON.stringify(object));
    await shell('kubectl create -f object.json');
  }

  /** Starts a Job of the CronJob now. The emulator takes no protobuf, in which kubectl would send it. */
  async function start(job: string): Promise<void> {
    const made = `kubectl create job ${job} -n demo --from=cronjob/report --dry-run=client -o yaml`;
    await shell(`${made} | kubectl create -f -`);
  }

  async function advice() {
    const { stdout } = await cluster.run(['advise', '--min-age', '0s', '-o', 'json']);
    const { owners }: Advice = JSON.parse(stdout);
    return Object.fromEntries(owners.map((owner) => [owner.kind, owner]));
  }

  it('prints a command that cures the CronJob: the pods of its next Job end by themselves', async () => {
    const { CronJob } = await advice();
    expect(await shell(CronJob?.cures[0]?.command ?? '')).toContain('cronjob.batch/report patched');
    await start('second');
    const second = () => store().get<Job>('jobs', 'demo', 'second');
    await vi.waitFor(() => expect(second()?.status.succeeded).toBe(1), patient);
    const again = await advice();
    expect(again['CronJob']?.sidecars.map(({ why }) => why)).toEqual([
      [{ kind: 'AlreadyNative' }],
      [{ kind: 'AlreadyNative' }],
    ]);
    expect(again['CronJob']?.cures).toEqual([]);
  });

  it('prints a command for the manifest of a bare pod: the next pod made of it ends by itself', async () => {
    const { Pod: pod } = await advice();
    const manifest = { ...barePod, metadata: { ...barePod.metadata, name: 'import-again' } };
    await writeFile(join(folder, 'pod.yaml'), JSON.stringify(manifest));
    await shell(`${pod?.cures[0]?.command} | kubectl create -f -`);
    const again = () => store().get<Pod>('pods', 'demo', 'import-again')?.status.phase;
    await vi.waitFor(() => expect(again()).toBe('Succeeded'), patient);
  });
});
