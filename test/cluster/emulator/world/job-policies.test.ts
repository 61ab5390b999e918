import { describe, expect, it } from 'vitest';
import type { Job, LightBehaviour, Pod, PodFailurePolicyRule } from '../../../kit/emulator/index.ts';
import { type LightCluster, lightCluster, NAMESPACE, podManifest } from './support/light-cluster.ts';

const INDEX = 'batch.kubernetes.io/job-completion-index';
const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count';
const runsUntilTerm: LightBehaviour = { on: { SIGTERM: { exitCode: 0 }, SIGINT: { exitCode: 42 } } };

/** A Job whose pods end when the test says so: with 0, or with 42. */
function indexedJob(spec: Partial<Job['spec']>): LightCluster {
  const cluster = lightCluster({ main: runsUntilTerm });
  const { template, ...rest } = spec;
  const containers = [{ name: 'main', image: 'docker.io/local/busybox:1' }];
  cluster.world.createJob({
    metadata: { name: 'job', namespace: NAMESPACE },
    spec: {
      completions: 3,
      parallelism: 3,
      completionMode: 'Indexed',
      ...rest,
      template: template ?? { spec: podManifest({ containers }).spec },
    },
  });
  return cluster;
}

/** Ends the running pods of these indexes, and gives the Job time to see it. */
async function end(cluster: LightCluster, exitCode: 0 | 42, ...indexes: readonly number[]): Promise<void> {
  for (const pod of running(cluster)) {
    if (!indexes.includes(indexOf(pod))) continue;
    const signal = exitCode === 0 ? 'SIGTERM' : 'SIGINT';
    cluster.world.kubelet.running(pod.metadata.uid, 'main')?.kill(signal);
  }
  await cluster.clock.advance(4_000);
}

const running = (cluster: LightCluster) => cluster.pods().filter(({ status }) => status.phase === 'Running');
const indexOf = ({ metadata }: Pod) => Number(metadata.annotations?.[INDEX]);
const conditions = (cluster: LightCluster) =>
  (cluster.job().status.conditions ?? []).map(({ type, reason, message }) => [type, reason, message]);
const on42 = (action: PodFailurePolicyRule['action']): PodFailurePolicyRule => ({
  action,
  onExitCodes: { containerName: 'main', operator: 'In', values: [42] },
});

describe('backoffLimitPerIndex', () => {
  it('tries an index again so many times, with the failures on the pods, while others go on', async () => {
    const cluster = indexedJob({ backoffLimitPerIndex: 1 });
    await cluster.clock.advance(2_000);
    await end(cluster, 42, 1);
    expect(cluster.job().status).toMatchObject({ active: 2, failedIndexes: '' });
    expect(cluster.job().status.failed).toBeUndefined();
    await cluster.clock.advance(10_000);
    const again = running(cluster).find((pod) => indexOf(pod) === 1);
    expect(again?.metadata.annotations?.[FAILURES]).toBe('1');
    expect(cluster.job().status).toMatchObject({ active: 3, failed: 1 });

    await end(cluster, 42, 1);
    expect(cluster.job().status).toMatchObject({ active: 2, failed: 2, failedIndexes: '1' });
    await end(cluster, 0, 0, 2);
    expect(cluster.job().status).toMatchObject({ succeeded: 2, completedIndexes: '0,2', failedIndexes: '1' });
    expect(conditions(cluster)).toEqual([
      ['FailureTarget', 'FailedIndexes', 'Job has failed indexes'],
      ['Failed', 'FailedIndexes', 'Job has failed indexes'],
    ]);
  });

  it('waits longer after each failure of an index', async () => {
    const cluster = indexedJob({ completions: 1, parallelism: 1, backoffLimitPerIndex: 5 });
    const created: number[] = [];
    cluster.world.store.subscribe(({ type, resource }) => {
      if (resource === 'pods' && type === 'ADDED') created.push(cluster.seconds());
    });
    for (const wait of [2_000, 15_000, 25_000]) {
      await cluster.clock.advance(wait);
      await end(cluster, 42, 0);
    }
    await cluster.clock.advance(60_000);
    const [first = 0, second = 0, third = 0, fourth = 0] = created;
    expect(Math.round(second - first)).toBeOneOf([12, 13]);
    expect(third - second).toBeGreaterThan(20);
    expect(fourth - third).toBeGreaterThan(40);
  });

  it('fails the Job at once when more indexes have failed than maxFailedIndexes', async () => {
    const cluster = indexedJob({ backoffLimitPerIndex: 0, maxFailedIndexes: 1 });
    await cluster.clock.advance(2_000);
    await end(cluster, 42, 0);
    expect(conditions(cluster)).toEqual([]);
    await end(cluster, 42, 1);
    await cluster.clock.advance(4_000);
    expect(conditions(cluster).at(-1)).toEqual([
      'Failed',
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    ]);
    expect(cluster.job().status).toMatchObject({ failed: 3, failedIndexes: '0,1' });
    expect(running(cluster)).toEqual([]);
  });
});

describe('podFailurePolicy', () => {
  it('fails an index at once under FailIndex', async () => {
    const podFailurePolicy = { rules: [on42('FailIndex')] };
    const cluster = indexedJob({ backoffLimitPerIndex: 3, podFailurePolicy });
    await cluster.clock.advance(2_000);
    await end(cluster, 42, 2);
    expect(cluster.job().status).toMatchObject({ failed: 1, failedIndexes: '2' });
    await cluster.clock.advance(30_000);
    expect(running(cluster).map(indexOf).sort()).toEqual([0, 1]);
  });

  it('counts ignored failures of an index apart', async () => {
    const podFailurePolicy = { rules: [on42('Ignore')] };
    const cluster = indexedJob({ backoffLimitPerIndex: 0, podFailurePolicy });
    await cluster.clock.advance(2_000);
    await end(cluster, 42, 2);
    await cluster.clock.advance(10_000);
    const again = running(cluster).find((pod) => indexOf(pod) === 2);
    expect(again?.metadata.annotations).toMatchObject({ [FAILURES]: '0', [IGNORED]: '1' });
    expect(cluster.job().status.failed).toBeUndefined();
  });

  it('says which condition of a pod failed the Job', async () => {
    const rules: PodFailurePolicyRule[] = [
      { action: 'Ignore', onExitCodes: { operator: 'NotIn', values: [42] } },
      { action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    ];
    const cluster = indexedJob({ podFailurePolicy: { rules } });
    await cluster.clock.advance(2_000);
    const [pod] = cluster.pods();
    const { name = '', namespace } = pod?.metadata ?? {};
    const condition = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' };
    cluster.patch(
      (current) => ({
        ...current,
        status: { ...current.status, conditions: [...(current.status.conditions ?? []), condition] },
      }),
      name,
    );
    await end(cluster, 42, 0);
    expect(conditions(cluster)[0]).toEqual([
      'FailureTarget',
      'PodFailurePolicy',
      `Pod ${namespace}/${name} has condition DisruptionTarget matching FailJob rule at index 1`,
    ]);
  });
});

describe('successPolicy', () => {
  it.each([
    ['these indexes', { succeededIndexes: '0,2' }, [0, 2]],
    ['so many of these indexes', { succeededIndexes: '1-2', succeededCount: 1 }, [2]],
    ['so many of all', { succeededCount: 2 }, [1, 2]],
  ] as const)('completes the Job when %s have succeeded', async (_title, rule, indexes) => {
    const cluster = indexedJob({ successPolicy: { rules: [{ succeededCount: 3 }, rule] } });
    await cluster.clock.advance(2_000);
    const [last = 0, ...first] = [...indexes].reverse();
    await end(cluster, 0, ...first);
    expect(conditions(cluster)).toEqual([]);
    await end(cluster, 0, last);
    await cluster.clock.advance(4_000);
    expect(conditions(cluster)).toEqual([
      ['SuccessCriteriaMet', 'SuccessPolicy', 'Matched rules at index 1'],
      ['Complete', 'SuccessPolicy', 'Matched rules at index 1'],
    ]);
    expect(cluster.job().status).toMatchObject({ succeeded: indexes.length });
    expect(cluster.job().status.failed).toBeUndefined();
    expect(running(cluster)).toEqual([]);
  });
});

describe('ttlSecondsAfterFinished', () => {
  it.each([0, 60])('deletes the Job and its pods %d seconds after it has ended', async (seconds) => {
    const cluster = indexedJob({ ttlSecondsAfterFinished: seconds });
    await cluster.clock.advance(2_000);
    await end(cluster, 0, 0, 1, 2);
    const exists = () => cluster.world.store.get('jobs', NAMESPACE, 'job') !== undefined;
    expect(exists()).toBe(seconds > 0);
    await cluster.clock.advance(seconds * 1000);
    expect(exists()).toBe(false);
    await cluster.clock.advance(5_000);
    expect(cluster.pods()).toEqual([]);
  });
});

describe('backoffLimit', () => {
  it('counts the restarts of native sidecars too', async () => {
    const cluster = lightCluster({ native: { ends: { exitCode: 0, after: 1_000 } } });
    const [main] = podManifest().spec.containers;
    const native = { name: 'native', image: 'docker.io/local/busybox:1', restartPolicy: 'Always' as const };
    cluster.world.createJob({
      metadata: { name: 'job', namespace: NAMESPACE },
      spec: {
        backoffLimit: 2,
        template: {
          spec: podManifest({
            restartPolicy: 'OnFailure',
            initContainers: [native],
            containers: main ? [main] : [],
          }).spec,
        },
      },
    });
    await cluster.clock.advance(60_000);
    expect(conditions(cluster).map(([type]) => type)).toContain('Failed');
  });
});
