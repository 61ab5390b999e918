import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BEHAVIOUR_ANNOTATION, ensureNamespace, type Job, type Pod } from '../../emulator/index.ts';
import { sidecars, TestCluster } from '../stuck-pods.ts';

const noop = 'docker.io/local/nop:1';
const swap = ['--noop-image', noop, '--noop-programs', 'shipped'];
const sweep = [...swap, '--unclean-exit', 'forbid', '--min-age', '0s', '--no-lock'];
const raise = '--raise-backoff-limit';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start();
  ensureNamespace(cluster.emulator.world, 'demo');
});
afterEach(() => cluster.stop());

const job = () => cluster.emulator.world.store.get<Job>('jobs', 'demo', 'work');
const pods = () => cluster.emulator.world.store.list<Pod>('pods', 'demo');
const patches = () =>
  cluster.emulator.requests.filter(({ method, resource }) => method === 'PATCH' && resource === 'jobs');

/** A Job without restarts left, whose finished pods are stuck on a sidecar; resolves when they are. */
async function stuckJob(parallelism = 1): Promise<void> {
  const behaviours = { main: { ends: { exitCode: 0, after: 10 } }, sidecar: sidecars.immune };
  cluster.emulator.world.createJob({
    metadata: { namespace: 'demo', name: 'work' },
    spec: {
      backoffLimit: 0,
      parallelism,
      completions: parallelism,
      template: {
        metadata: {
          annotations: {
            [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
            'sidecar-sweeper.dev/sidecars': 'sidecar',
          },
        },
        spec: {
          restartPolicy: 'OnFailure',
          terminationGracePeriodSeconds: 1,
          containers: ['main', 'sidecar'].map((name) => ({ name, image: 'busybox:1' })),
        },
      },
    },
  });
  const isStuck = ({ status }: Pod) =>
    status?.phase === 'Running' && status.containerStatuses?.[0]?.state?.terminated !== undefined;
  await expect.poll(() => pods().filter(isStuck).length, { timeout: 60_000 }).toBe(parallelism);
}

const conditions = () =>
  (job()?.status?.conditions ?? []).flatMap(({ type, status }) => (status === 'True' ? type : []));

describe('a Job under OnFailure with backoffLimit 0', () => {
  it('is complete after a sweep that may raise it, and the report says what was raised', async () => {
    await stuckJob();
    const { run, report } = await cluster.sweep([...sweep, raise]);
    expect(report.pods).toMatchObject([{ outcome: { kind: 'Ended' } }]);
    expect(JSON.stringify(report.pods)).toContain('with the backoffLimit of its Job raised from 0 to 2');
    expect(report.warnings).toEqual([
      { kind: 'BackoffLimitRaised', namespace: 'demo', job: 'work', from: 0, to: 2 },
    ]);
    expect(run.exitCode).toBe(0);
    expect(job()?.spec.backoffLimit).toBe(2);
    await expect.poll(conditions, { timeout: 60_000 }).toContain('Complete');
  });

  it('is raised once for all of its pods, which take turns', async () => {
    await stuckJob(3);
    const { report } = await cluster.sweep([...sweep, raise]);
    expect(report.totals.pods).toEqual({ Ended: 3 });
    expect(patches()).toHaveLength(1);
    await expect.poll(conditions, { timeout: 60_000 }).toContain('Complete');
  });

  it('is only said to be raised by a dry run', async () => {
    await stuckJob();
    const [pod] = pods();
    const { report } = await cluster.sweep([...sweep, raise, '--dry-run']);
    expect(JSON.stringify(report.pods)).toContain('"raisesBackoffLimit":true');
    const { stdout } = await cluster.run([
      'explain',
      `demo/${pod?.metadata.name}`,
      ...swap,
      ...['--min-age', '0s', raise, '-o', 'table'],
    ]);
    expect(stdout).toContain('the backoffLimit of its Job is raised first');
    expect(patches()).toEqual([]);
  });

  it('is left alone without the flag, with the reason', async () => {
    await stuckJob();
    const { report } = await cluster.sweep(sweep);
    expect(JSON.stringify(report.pods)).toContain('WouldFailJob');
    expect(pods()).toMatchObject([{ status: { phase: 'Running' } }]);
    expect(job()?.spec.backoffLimit).toBe(0);
    expect(patches()).toEqual([]);
  });

  it('is left alone by an account that may not patch Jobs, with a warning', async () => {
    await stuckJob();
    const rules = [
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'patch'] },
      { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
      { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] },
    ];
    const name = 'sweeper';
    const token = cluster.emulator.serviceAccount({ namespace: 'demo', name, rules, scope: 'Cluster' });
    const { report } = await cluster.sweep([...sweep, raise], { user: { name, token } });
    expect(report.warnings).toContainEqual({
      kind: 'NoPermission',
      method: 'RaiseBackoffLimit',
      namespace: 'demo',
      needs: 'patch on jobs',
    });
    expect(JSON.stringify(report.pods)).toContain('WouldFailJob');
    expect(pods()).toMatchObject([{ status: { phase: 'Running' } }]);
    expect(patches()).toEqual([]);
  });

  it('is left alone if the API server refuses to raise it', async () => {
    await stuckJob();
    const body = { kind: 'Status', status: 'Failure', reason: 'Forbidden', message: 'no', code: 403 };
    cluster.emulator.faults.add({ method: 'PATCH', resource: 'jobs' }, { kind: 'Answer', status: 403, body });
    const { report } = await cluster.sweep([...sweep, raise]);
    expect(JSON.stringify(report.pods)).toContain('NoRoomInJob');
    expect(pods()).toMatchObject([{ status: { phase: 'Running' } }]);
    expect(conditions()).toEqual([]);
  });
});
