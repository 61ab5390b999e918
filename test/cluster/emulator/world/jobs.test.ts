import { describe, expect, it } from 'vitest';
import type { Job, LightBehaviour, Pod, PodFailurePolicyRule } from '../../../kit/emulator/index.ts';
import { type LightCluster, lightCluster, NAMESPACE, podManifest, stateOf } from './support/light-cluster.ts';

const image = 'docker.io/local/busybox:1';
const annotation = (name: string) => `batch.kubernetes.io/job-${name}`;
const runsUntilTerm: LightBehaviour = { on: { SIGTERM: { exitCode: 0 }, SIGINT: { exitCode: 42 } } };

type Spec = Partial<Omit<Job['spec'], 'template'>>;

/** A Job whose only container behaves like this; by default, its pods end when the test says so. */
function withJob(
  spec: Spec = {},
  main: LightBehaviour = runsUntilTerm,
  pod = podOf('main'),
  others: Record<string, LightBehaviour> = {},
): LightCluster {
  const cluster = lightCluster({ main, ...others });
  const metadata = { name: 'job', namespace: NAMESPACE };
  cluster.world.createJob({ metadata, spec: { ...spec, template: { spec: pod } } });
  return cluster;
}

const podOf = (...names: readonly string[]) =>
  podManifest({ containers: names.map((name) => ({ name, image })) }).spec;

const indexed = (spec: Spec) =>
  withJob({ completions: 3, parallelism: 3, completionMode: 'Indexed', ...spec });
const running = (cluster: LightCluster) => cluster.pods().filter(({ status }) => status.phase === 'Running');
const indexOf = ({ metadata }: Pod) => Number(metadata.annotations?.[annotation('completion-index')]);
const conditions = (cluster: LightCluster) =>
  (cluster.job().status.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`);
const on42 = (action: PodFailurePolicyRule['action']): PodFailurePolicyRule => ({
  action,
  onExitCodes: { operator: 'In', values: [42] },
});

/** Ends the running pods, of these indexes if there are any, and gives the Job time to see it. */
async function end(cluster: LightCluster, exitCode: 0 | 42, ...indexes: readonly number[]): Promise<void> {
  for (const pod of running(cluster)) {
    if (indexes.length > 0 && !indexes.includes(indexOf(pod))) continue;
    const signal = exitCode === 0 ? 'SIGTERM' : 'SIGINT';
    cluster.world.kubelet.running(pod.metadata.uid, 'main')?.kill(signal);
  }
  await cluster.clock.advance(4_000);
}

function creations(cluster: LightCluster): readonly number[] {
  const created: number[] = [];
  cluster.world.store.subscribe(({ type, resource }) => {
    if (resource === 'pods' && type === 'ADDED') created.push(cluster.seconds());
  });
  return created;
}

describe('A Job', () => {
  it('replaces a failed pod after ten seconds, then after twenty, then fails', async () => {
    const cluster = withJob({ backoffLimit: 2 }, { ends: { exitCode: 1, after: 2_000 } });
    const created = creations(cluster);
    await cluster.clock.advance(120_000);
    const [first = 0, second = 0, third = 0, ...more] = created;
    expect(more).toEqual([]);
    // A pod ends two seconds after its start, and timestamps are whole seconds.
    expect([Math.round(second - first), Math.round(third - second)]).toEqual([
      expect.toBeOneOf([12, 13]),
      expect.toBeOneOf([22, 23]),
    ]);
    expect(conditions(cluster)).toEqual([
      'FailureTarget BackoffLimitExceeded',
      'Failed BackoffLimitExceeded',
    ]);
  });

  it('replaces a failed pod no sooner if its failure is ignored', async () => {
    const policy = { podFailurePolicy: { rules: [on42('Ignore')] } };
    const cluster = withJob(policy, { ends: { exitCode: 42, after: 2_000 } });
    const created = creations(cluster);
    await cluster.clock.advance(30_000);
    expect(created).toHaveLength(2);
  });

  it('replaces a deleted pod at once if it has not been ready for ten seconds', async () => {
    const cluster = withJob({}, { ends: { exitCode: 0 } }, podOf('main', 'sidecar'), { sidecar: {} });
    await cluster.clock.advance(15_000);
    const [pod] = cluster.pods();
    cluster.world.deletePod(NAMESPACE, pod?.metadata.name ?? '');
    await cluster.clock.advance(3_000);
    expect(cluster.pods()).toHaveLength(2);
  });

  it('reaches its completions with limited parallelism', async () => {
    const cluster = withJob({ completions: 5, parallelism: 2 }, { ends: { exitCode: 0, after: 3_000 } });
    let most = 0;
    cluster.world.store.subscribe(() => {
      most = Math.max(most, running(cluster).length);
    });
    await cluster.clock.advance(60_000);
    expect([most, cluster.job().status.succeeded]).toEqual([2, 5]);
    expect(conditions(cluster).at(-1)).toBe('Complete CompletionsReached');
  });

  it('has no pods while it is suspended, or if another controller manages it', async () => {
    const cluster = withJob({ suspend: true, activeDeadlineSeconds: 10 });
    const suspend = (suspended: boolean) =>
      cluster.world.store.update<Job>('jobs', NAMESPACE, 'job', (job) => ({
        ...job,
        spec: { ...job.spec, suspend: suspended },
      }));
    await cluster.clock.advance(5_000);
    expect(cluster.pods()).toEqual([]);
    suspend(false);
    await cluster.clock.advance(5_000);
    expect(running(cluster)).toHaveLength(1);
    suspend(true);
    await cluster.clock.advance(60_000);
    expect(cluster.pods()).toEqual([]);
    expect(conditions(cluster)).toEqual(['Suspended JobSuspended']);
    const managed = withJob({ managedBy: 'example.com/queue' });
    await managed.clock.advance(5_000);
    expect(managed.pods()).toEqual([]);
  });

  it('counts a deleted pod that still ends well as succeeded, and goes with its pods', async () => {
    const cluster = withJob({ completions: 2 });
    await cluster.clock.advance(5_000);
    cluster.world.deletePod(NAMESPACE, cluster.pods()[0]?.metadata.name ?? '');
    await cluster.clock.advance(30_000);
    expect(cluster.job().status).toMatchObject({ succeeded: 1, active: 1 });
    cluster.world.store.delete('jobs', NAMESPACE, 'job');
    await cluster.clock.advance(10_000);
    expect(cluster.pods()).toEqual([]);
  });

  it('counts the restarts of native sidecars, and what a container with its own restartPolicy Never did', async () => {
    const restarts = (spec: Parameters<typeof podManifest>[0], backoffLimit: number, exitCode: number) => {
      const pod = podManifest({ restartPolicy: 'OnFailure', ...spec }).spec;
      return withJob({ backoffLimit }, runsUntilTerm, pod, { other: { ends: { exitCode, after: 1_000 } } });
    };
    const [main] = podOf('main').containers;
    if (!main) expect.fail('no main');
    const native = { name: 'other', image, restartPolicy: 'Always' as const };
    const restarted = restarts({ initContainers: [native], containers: [main] }, 2, 0);
    await restarted.clock.advance(60_000);
    expect(conditions(restarted)).toContain('Failed BackoffLimitExceeded');
    const never = { name: 'other', image, restartPolicy: 'Never' as const };
    const failed = restarts({ containers: [main, never] }, 0, 143);
    await failed.clock.advance(3_000);
    await end(failed, 0);
    expect(conditions(failed)).toContain('Failed BackoffLimitExceeded');
  });
});

describe('backoffLimitPerIndex', () => {
  it('tries an index again so many times, later each time, while others go on', async () => {
    const cluster = indexed({ backoffLimitPerIndex: 1 });
    const created = creations(cluster);
    await cluster.clock.advance(2_000);
    await end(cluster, 42, 1);
    expect(cluster.job().status).toMatchObject({ active: 2, failedIndexes: '' });
    await cluster.clock.advance(10_000);
    const again = running(cluster).find((pod) => indexOf(pod) === 1);
    expect(again?.metadata.annotations?.[annotation('index-failure-count')]).toBe('1');
    expect((created.at(-1) ?? 0) - (created[0] ?? 0)).toBeGreaterThan(10);
    await end(cluster, 42, 1);
    await end(cluster, 0, 0, 2);
    expect(cluster.job().status).toMatchObject({ succeeded: 2, completedIndexes: '0,2', failedIndexes: '1' });
    expect(conditions(cluster)).toEqual(['FailureTarget FailedIndexes', 'Failed FailedIndexes']);
  });

  it('starts no later index in the place of one that waits', async () => {
    const cluster = indexed({ parallelism: 1, backoffLimitPerIndex: 1 });
    await cluster.clock.advance(2_000);
    await end(cluster, 42);
    expect(running(cluster)).toEqual([]);
    await cluster.clock.advance(10_000);
    expect(running(cluster).map(indexOf)).toEqual([0]);
  });

  it('fails the Job at once when more indexes have failed than maxFailedIndexes', async () => {
    const cluster = indexed({ backoffLimitPerIndex: 0, maxFailedIndexes: 1 });
    await cluster.clock.advance(2_000);
    await end(cluster, 42, 0);
    expect(conditions(cluster)).toEqual([]);
    await end(cluster, 42, 1);
    await cluster.clock.advance(4_000);
    expect(conditions(cluster).at(-1)).toBe('Failed MaxFailedIndexesExceeded');
    expect(running(cluster)).toEqual([]);
  });
});

describe('podFailurePolicy', () => {
  const failed = ['FailureTarget PodFailurePolicy', 'Failed PodFailurePolicy'];
  const ready: PodFailurePolicyRule = {
    action: 'FailJob',
    onPodConditions: [{ type: 'Ready', status: 'False' }],
  };
  // biome-ignore format: one row a line
  it.each<readonly [title: string, spec: Spec, status: object, expected: readonly string[]]>([
    ['fails an index under FailIndex', { podFailurePolicy: { rules: [on42('FailIndex')] } }, { failedIndexes: '2' }, []],
    ['ignores a failure of an index', { podFailurePolicy: { rules: [on42('Ignore')] } }, { failedIndexes: '' }, []],
    ['counts a failure under Count', { podFailurePolicy: { rules: [on42('Count')] } }, { failedIndexes: '' }, []],
    ['matches the rules in order', { podFailurePolicy: { rules: [on42('Ignore'), ready] } }, {}, []],
    ['knows the conditions of a pod', { podFailurePolicy: { rules: [ready, on42('Ignore')] } }, {}, failed],
  ])('%s', async (_title, spec, status, expected) => {
    const cluster = indexed({ backoffLimitPerIndex: 3, ...spec });
    await cluster.clock.advance(2_000);
    await end(cluster, 42, 2);
    expect(cluster.job().status).toMatchObject(status);
    expect(conditions(cluster)).toEqual(expected);
  });
});

it.each([
  ['these indexes', { succeededIndexes: '0,2' }, [0, 2]],
  ['so many of these indexes', { succeededIndexes: '1-2', succeededCount: 1 }, [2]],
  ['so many of all', { succeededCount: 2 }, [1, 2]],
] as const)('successPolicy completes the Job when %s have succeeded', async (_title, rule, indexes) => {
  const cluster = indexed({ successPolicy: { rules: [{ succeededCount: 3 }, rule] } });
  await cluster.clock.advance(2_000);
  const [last = 0, ...first] = [...indexes].reverse();
  if (first.length > 0) await end(cluster, 0, ...first);
  expect(conditions(cluster)).toEqual([]);
  await end(cluster, 0, last);
  await cluster.clock.advance(4_000);
  expect(conditions(cluster)).toEqual(['SuccessCriteriaMet SuccessPolicy', 'Complete SuccessPolicy']);
  expect(running(cluster)).toEqual([]);
});

describe('The exit code of a light container', () => {
  const ended = async (behaviour: LightBehaviour, containers: readonly object[]) => {
    const cluster = lightCluster({ sidecar: behaviour });
    for (const [index, container] of containers.entries()) {
      const all = [{ name: 'sidecar', image, ...container }];
      cluster.world.createPod(podManifest({ containers: all }, `pod-${index}`));
    }
    await cluster.clock.advance(10_000);
    return containers.map((_, index) => stateOf(cluster.pod(`pod-${index}`), 'sidecar'));
  };

  it('may depend on its environment, or be another one each time for each image', async () => {
    const withEnv = { name: 'MODE', value: 'broken', exitCode: 143 };
    const env = (value: string) => ({ env: [{ name: 'MODE', value }] });
    expect(await ended({ ends: { exitCode: 0, withEnv } }, [env('sound'), env('broken')])).toEqual([
      'terminated 0',
      'terminated 143',
    ]);
    const other = { image: 'docker.io/local/other:1' };
    const states = await ended({ ends: { exitCode: [0, 143] } }, [{}, {}, other]);
    expect(states).toEqual(['terminated 0', 'terminated 143', 'terminated 0']);
  });
});
