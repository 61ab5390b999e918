import { describe, expect, test } from 'vitest';
import { ensureNamespace, type Job, type Pod, type RequestRecord } from '../../kit/emulator/index.ts';
import { policyFlag } from '../../kit/policy-flag.ts';
import { eventually } from '../../kit/replay/stage.ts';
import { stuckJob } from '../../kit/stuck-jobs.ts';
import { sidecars, TestCluster } from '../../kit/stuck-pods.ts';

const sweep = ['--unclean-exit', 'forbid', '--min-age', '0s', '--no-lock'];
const raise = policyFlag({
  raiseBackoffLimit: true,
  imageSwap: { image: 'docker.io/local/nop:1', commands: 'shipped' },
});

/** A cluster of one test, so that all of them run side by side: they wait more than they work. */
class Place {
  constructor(readonly cluster: TestCluster) {}

  job(): Job | undefined {
    return this.cluster.emulator.world.store.get<Job>('jobs', 'demo', 'work');
  }

  pods(): readonly Pod[] {
    return this.cluster.emulator.world.store.list<Pod>('pods', 'demo');
  }

  patches(): readonly RequestRecord[] {
    const { requests } = this.cluster.emulator;
    return requests.filter(({ method, resource }) => method === 'PATCH' && resource === 'jobs');
  }

  conditions(): readonly string[] {
    const all = this.job()?.status?.conditions ?? [];
    return all.flatMap(({ type, status }) => (status === 'True' ? type : []));
  }

  /** The conditions that the Job comes to have. */
  end(): Promise<readonly string[]> {
    return eventually(
      () => this.conditions(),
      (all) => all.includes('Complete'),
    );
  }

  /** A Job without restarts left, whose finished pods are stuck on a sidecar; resolves when they are. */
  async stuckJob(parallelism = 1): Promise<void> {
    const spec = { backoffLimit: 0, parallelism, completions: parallelism };
    const job = stuckJob({ sidecar: sidecars.immune, restartPolicy: 'OnFailure', spec });
    this.cluster.emulator.world.createJob(job);
    const isStuck = ({ status }: Pod) =>
      status?.phase === 'Running' && status.containerStatuses?.[0]?.state?.terminated !== undefined;
    const stuck = () => this.pods().filter(isStuck).length;
    expect(await eventually(stuck, (count) => count === parallelism)).toBe(parallelism);
  }
}

const it = test.extend<{ place: Place }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of what is needed here.
  place: async ({}, use) => {
    const cluster = await TestCluster.start();
    ensureNamespace(cluster.emulator.world, 'demo');
    await use(new Place(cluster));
    await cluster.stop();
  },
});

describe.concurrent('a Job under OnFailure with backoffLimit 0', () => {
  it('is complete after a sweep that may raise it, and the report says what was raised', async ({
    place,
  }) => {
    await place.stuckJob();
    const { run, report } = await place.cluster.sweep([...sweep, ...raise]);
    expect(report.pods).toMatchObject([{ outcome: { kind: 'Ended' } }]);
    expect(JSON.stringify(report.pods)).toContain('with the backoffLimit of its Job raised from 0 to 2');
    expect(report.warnings).toEqual([
      { kind: 'BackoffLimitRaised', namespace: 'demo', job: 'work', from: 0, to: 2 },
    ]);
    expect(run.exitCode).toBe(0);
    expect(place.job()?.spec.backoffLimit).toBe(2);
    expect(await place.end()).toContain('Complete');
  });

  it('is raised once for all of its pods, which take turns', async ({ place }) => {
    await place.stuckJob(3);
    const { report } = await place.cluster.sweep([...sweep, ...raise]);
    expect(report.totals.pods).toEqual({ Ended: 3 });
    expect(place.patches()).toHaveLength(1);
    expect(await place.end()).toContain('Complete');
  });

  it('is only said to be raised by a dry run', async ({ place }) => {
    await place.stuckJob();
    const [pod] = place.pods();
    const { report } = await place.cluster.sweep([...sweep, ...raise, '--dry-run']);
    expect(JSON.stringify(report.pods)).toContain('"raisesBackoffLimit":true');
    const { stdout } = await place.cluster.run([
      'explain',
      `demo/${pod?.metadata.name}`,
      ...raise,
      ...['--min-age', '0s', '-o', 'table'],
    ]);
    expect(stdout).toContain('the backoffLimit of its Job is raised first');
    expect(place.patches()).toEqual([]);
  });

  it('is left alone if the API server refuses to raise it', async ({ place }) => {
    await place.stuckJob();
    const body = { kind: 'Status', status: 'Failure', reason: 'Forbidden', message: 'no', code: 403 };
    place.cluster.emulator.faults.add(
      { method: 'PATCH', resource: 'jobs' },
      { kind: 'Answer', status: 403, body },
    );
    const { report } = await place.cluster.sweep([...sweep, ...raise]);
    expect(JSON.stringify(report.pods)).toContain('NoRoomInJob');
    expect(place.pods()).toMatchObject([{ status: { phase: 'Running' } }]);
    expect(place.conditions()).toEqual([]);
  });
});
