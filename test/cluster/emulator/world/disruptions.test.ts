import { describe, expect, it } from 'vitest';
import { ensureNamespace, type Pod, startEmulator, steppedClock } from '../../../kit/emulator/index.ts';
import { exchange } from '../../../kit/replay/client.ts';
import { lightCluster, NAMESPACE, podManifest } from './support/light-cluster.ts';

const target = ({ status }: Pod) => status.conditions?.find(({ type }) => type === 'DisruptionTarget');

describe('DisruptionTarget', () => {
  it('is a condition of an evicted pod, until it has ended and after', async () => {
    const clock = steppedClock();
    const emulator = await startEmulator({ clock });
    try {
      ensureNamespace(emulator.world, NAMESPACE);
      const manifest = podManifest();
      emulator.world.createPod({
        ...manifest,
        metadata: { ...manifest.metadata, finalizers: ['test/keep'] },
      });
      await clock.advance(3_000);
      const path = `/api/v1/namespaces/${NAMESPACE}/pods/pod/eviction`;
      const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'pod' } });
      expect((await exchange(emulator, { method: 'POST', path, body })).status).toBe(201);
      await clock.advance(10_000);
      const pod = emulator.world.store.get<Pod>('pods', NAMESPACE, 'pod') ?? expect.fail('it is gone');
      expect(pod.status.phase).toBe('Succeeded');
      expect(target(pod)).toMatchObject({
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
      });
    } finally {
      await emulator.stop();
    }
  });

  it('is a condition of a preempted pod, and a podFailurePolicy may ignore its failure', async () => {
    const cluster = lightCluster({ main: { on: { SIGTERM: { exitCode: 143 } } } });
    cluster.world.createJob({
      metadata: { name: 'job', namespace: NAMESPACE },
      spec: {
        backoffLimit: 0,
        podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
        template: {
          spec: podManifest({ containers: [{ name: 'main', image: 'docker.io/local/busybox:1' }] }).spec,
        },
      },
    });
    await cluster.clock.advance(3_000);
    const [first] = cluster.pods();
    const preempted = cluster.world.preemptPod(NAMESPACE, first?.metadata.name ?? '');
    expect(target(preempted)?.reason).toBe('PreemptionByScheduler');
    await cluster.clock.advance(30_000);
    expect(cluster.job().status.failed).toBeUndefined();
    expect(cluster.pods().map(({ status }) => status.phase)).toEqual(['Running']);
  });
});
