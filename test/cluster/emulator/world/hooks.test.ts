import { describe, expect, it } from 'vitest';
import type { Container } from '../../../kit/emulator/index.ts';
import { lightCluster, NAMESPACE, podManifest, stateOf } from './support/light-cluster.ts';

const image = 'docker.io/local/busybox:1';
const withHooks = (lifecycle: Container['lifecycle'] & object) =>
  podManifest({ terminationGracePeriodSeconds: 10, containers: [{ name: 'main', image, lifecycle }] });

describe('preStop', () => {
  it.each([
    [3, 3_300],
    [30, 10_300],
  ])(
    'with sleep holds the stop signal back for %d seconds at most for the grace period',
    async (seconds, gone) => {
      const cluster = lightCluster({ main: { on: { SIGTERM: { exitCode: 0 } } } });
      cluster.world.createPod(withHooks({ preStop: { sleep: { seconds } } }));
      await cluster.clock.advance(2_000);
      cluster.world.deletePod(NAMESPACE, 'pod');
      await cluster.clock.advance(gone - 400);
      expect(stateOf(cluster.pod(), 'main')).toBe('running');
      await cluster.clock.advance(500);
      expect(cluster.pods()).toEqual([]);
    },
  );
});

describe('postStart', () => {
  it('keeps the container waiting until it has ended', async () => {
    const cluster = lightCluster();
    cluster.world.createPod(withHooks({ postStart: { sleep: { seconds: 4 } } }));
    await cluster.clock.advance(4_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('waiting ContainerCreating');
    await cluster.clock.advance(1_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('running');
  });

  it('kills the container if it fails', async () => {
    const cluster = lightCluster({ main: { shell: false } });
    cluster.world.createPod(withHooks({ postStart: { exec: { command: ['true'] } } }));
    await cluster.clock.advance(4_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('terminated 137');
    expect(cluster.pod().status.phase).toBe('Failed');
  });

  it('runs a command in the container', async () => {
    const cluster = lightCluster({ main: { on: { SIGTERM: { exitCode: 7 } } } });
    cluster.world.createPod(withHooks({ postStart: { exec: { command: ['kill', '1'] } } }));
    await cluster.clock.advance(2_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('terminated 7');
  });
});

describe('A native sidecar', () => {
  const sidecar: Container = { name: 'native', image, restartPolicy: 'Always' };

  it('is stopped only when the regular containers have ended, and still has two seconds', async () => {
    const cluster = lightCluster({ main: {}, native: { on: { SIGTERM: { exitCode: 0, after: 1_500 } } } });
    cluster.world.createPod(
      podManifest({
        terminationGracePeriodSeconds: 10,
        initContainers: [sidecar],
        containers: [{ name: 'main', image }],
      }),
    );
    await cluster.clock.advance(3_000);
    // The finalizer keeps the pod, so that its last status can be read.
    cluster.patch((pod) => ({ ...pod, metadata: { ...pod.metadata, finalizers: ['test/keep'] } }));
    cluster.world.deletePod(NAMESPACE, 'pod');
    await cluster.clock.advance(9_900);
    expect(stateOf(cluster.pod(), 'main')).toBe('running');
    expect(stateOf(cluster.pod(), 'native')).toBe('running');
    await cluster.clock.advance(1_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('terminated 137');
    expect(stateOf(cluster.pod(), 'native')).toBe('running');
    await cluster.clock.advance(3_000);
    expect(stateOf(cluster.pod(), 'native')).toBe('terminated 0');
  });

  it('has the whole grace period when the regular containers have ended by themselves', async () => {
    const main = { ends: { exitCode: 0, after: 1_000 } };
    const cluster = lightCluster({ main, native: {} });
    cluster.world.createPod(
      podManifest({
        terminationGracePeriodSeconds: 10,
        initContainers: [sidecar],
        containers: [{ name: 'main', image }],
      }),
    );
    await cluster.clock.advance(11_000);
    expect(stateOf(cluster.pod(), 'native')).toBe('running');
    await cluster.clock.advance(4_000);
    expect(stateOf(cluster.pod(), 'native')).toBe('terminated 137');
    expect(cluster.pod().status.phase).toBe('Succeeded');
  });
});
