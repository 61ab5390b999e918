import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../kit/emulator/index.ts';
import { lightCluster, NAMESPACE, podManifest, stateOf } from './support/light-cluster.ts';

const DONE = { ends: { exitCode: 0, after: 3_000 } };
const IGNORES_TERM = { on: {} };

describe('A deleted pod', () => {
  it('gets SIGTERM and, after the grace period, SIGKILL; then its object is removed', async () => {
    const cluster = lightCluster({ main: DONE, sidecar: IGNORES_TERM });
    cluster.world.createPod(podManifest());
    await cluster.clock.advance(5_000);

    cluster.world.deletePod(NAMESPACE, 'pod');
    await cluster.clock.advance(4_900);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('running');
    expect(cluster.pod().metadata.deletionGracePeriodSeconds).toBe(5);
    await cluster.clock.advance(2_000);
    expect(cluster.pods()).toEqual([]);
    const last = cluster.statuses().at(-1);
    expect(last?.phase).toBe('Failed');
    expect(last?.containerStatuses?.[1]?.state.terminated?.exitCode).toBe(137);
  });

  it('is removed sooner if it is deleted again with a shorter grace period', async () => {
    const cluster = lightCluster({ sidecar: IGNORES_TERM });
    cluster.world.createPod(podManifest({ terminationGracePeriodSeconds: 600 }));
    await cluster.clock.advance(5_000);
    cluster.world.deletePod(NAMESPACE, 'pod');
    cluster.world.deletePod(NAMESPACE, 'pod', { gracePeriodSeconds: 1 });
    await cluster.clock.advance(3_000);
    expect(cluster.pods()).toEqual([]);
  });

  it('remains after its end while it has a finalizer', async () => {
    const cluster = lightCluster({ main: DONE });
    const manifest = podManifest();
    cluster.world.createPod({
      ...manifest,
      metadata: { ...manifest.metadata, finalizers: ['example.com/kept'] },
    });
    await cluster.clock.advance(5_000);
    cluster.world.deletePod(NAMESPACE, 'pod');
    await cluster.clock.advance(10_000);
    expect(cluster.pod().status.phase).toBe('Succeeded');

    cluster.patch(({ metadata: { finalizers, ...metadata }, ...pod }) => ({ ...pod, metadata }) as Pod);
    await cluster.clock.advance(0);
    expect(cluster.pods()).toEqual([]);
  });

  it.each([
    ['was never scheduled', podManifest({ schedulerName: 'somebody-else' })],
    ['has no grace period', podManifest()],
  ])('is removed at once if it %s', async (_why, manifest) => {
    const cluster = lightCluster();
    cluster.world.createPod(manifest);
    await cluster.clock.advance(5_000);
    const options = manifest.spec['schedulerName'] ? {} : { gracePeriodSeconds: 0 };
    cluster.world.deletePod(NAMESPACE, 'pod', options);
    expect(cluster.pods()).toEqual([]);
  });
});

describe('A pod with activeDeadlineSeconds', () => {
  it('runs until the deadline', async () => {
    const cluster = lightCluster();
    cluster.world.createPod(podManifest({ activeDeadlineSeconds: 100 }));
    await cluster.clock.advance(99_000);
    expect(cluster.pod().status.phase).toBe('Running');
    await cluster.clock.advance(10_000);
    expect(cluster.pod().status.reason).toBe('DeadlineExceeded');
  });
});

describe('Native sidecars', () => {
  it('restart while the pod is running, even if the pod’s policy is Never', async () => {
    const cluster = lightCluster({ native: { ends: { exitCode: 1, after: 2_000 } } });
    cluster.world.createPod(podManifest(withNative()));
    await cluster.clock.advance(4_000);
    expect(stateOf(cluster.pod(), 'native')).toBe('running');
    expect(cluster.pod().status.initContainerStatuses?.[0]?.restartCount).toBe(1);
    expect(cluster.pod().status.phase).toBe('Running');
  });
});

describe('Init containers', () => {
  it('run one after another before the pod is initialized', async () => {
    const cluster = lightCluster({ first: DONE, second: DONE });
    cluster.world.createPod(podManifest({ initContainers: [container('first'), container('second')] }));
    await cluster.clock.advance(2_000);
    expect(['first', 'second', 'main'].map((name) => stateOf(cluster.pod(), name))).toEqual([
      'running',
      'waiting PodInitializing',
      'waiting PodInitializing',
    ]);
    expect(cluster.pod().status.phase).toBe('Pending');
    expect(cluster.pod().status.conditions?.find(({ type }) => type === 'Initialized')).toMatchObject({
      status: 'False',
      message: 'containers with incomplete status: [first second]',
    });
    await cluster.clock.advance(6_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('running');
    expect(cluster.pod().status.phase).toBe('Running');
  });

  it('fail a pod whose policy is Never', async () => {
    const cluster = lightCluster({ first: { ends: { exitCode: 3, after: 1_000 } } });
    cluster.world.createPod(podManifest({ initContainers: [container('first')] }));
    await cluster.clock.advance(5_000);
    expect(cluster.pod().status.phase).toBe('Failed');
    expect(stateOf(cluster.pod(), 'main')).toBe('terminated 137');
  });
});

describe('A pod on a missing node', () => {
  it('never starts', async () => {
    const cluster = lightCluster();
    cluster.world.createPod(podManifest({ nodeName: 'gone' }));
    await cluster.clock.advance(60_000);
    expect(cluster.pod().status.phase).toBe('Pending');
    expect(cluster.pod().status.containerStatuses).toBeUndefined();
  });
});

function container(name: string) {
  return { name, image: 'docker.io/local/busybox:1' };
}

function withNative() {
  return {
    initContainers: [{ ...container('native'), restartPolicy: 'Always' as const }],
    containers: [container('main')],
  };
}
