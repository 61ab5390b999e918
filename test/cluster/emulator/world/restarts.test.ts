import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../kit/emulator/index.ts';
import { lightCluster, podManifest, stateOf } from './support/light-cluster.ts';

describe('A container restarts', () => {
  it('at once, then after 10, 20, 40 ... 300 seconds', async () => {
    const cluster = lightCluster({ main: { ends: { exitCode: 7, after: 2_000 } } });
    cluster.world.createPod(podManifest({ restartPolicy: 'OnFailure' }));
    await cluster.clock.advance(1_500_000);

    const starts = new Set(cluster.statuses().map((status) => runningSince(status, 'main')));
    starts.delete(undefined);
    const times = [...starts].map((time) => Date.parse(time ?? '') / 1000);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0) - 2);
    const waits = [0, 10, 20, 40, 80, 160, 300, 300];
    expect(gaps.length).toBeGreaterThanOrEqual(waits.length);
    for (const [index, wait] of waits.entries()) expect((gaps[index] ?? 0) - wait).toBeOneOf([0, 1]);
  });

  it('at once again if it ran for more than ten minutes', async () => {
    const cluster = lightCluster({ main: { ends: { exitCode: 7, after: 601_000 } } });
    cluster.world.createPod(podManifest({ restartPolicy: 'Always' }));
    await cluster.clock.advance(4 * 602_000);
    expect(cluster.pod().status.containerStatuses?.[0]?.restartCount).toBe(4);
  });

  it.each([
    { policy: 'Never', exitCode: 1, restarts: 0 },
    { policy: 'OnFailure', exitCode: 0, restarts: 0 },
    { policy: 'OnFailure', exitCode: 1, restarts: 1 },
    { policy: 'Always', exitCode: 0, restarts: 1 },
  ] as const)(
    'under $policy after exit code $exitCode $restarts times',
    async ({ policy, exitCode, restarts }) => {
      const cluster = lightCluster({ main: { ends: { exitCode, after: 2_000 } } });
      cluster.world.createPod(podManifest({ restartPolicy: policy }));
      await cluster.clock.advance(4_000);
      expect(mainOf(cluster.pod()).restartCount).toBe(restarts);
    },
  );

  it('by its own restartPolicy, which takes precedence over the pod’s', async () => {
    const cluster = lightCluster({ main: { ends: { exitCode: 1, after: 2_000 } } });
    const manifest = podManifest({ restartPolicy: 'OnFailure' });
    manifest.spec.containers[0] = {
      name: 'main',
      image: 'docker.io/local/busybox:1',
      restartPolicy: 'Never',
    };
    cluster.world.createPod(manifest);
    await cluster.clock.advance(60_000);
    expect(mainOf(cluster.pod()).restartCount).toBe(0);
    expect(stateOf(cluster.pod(), 'main')).toBe('terminated 1');
  });

  it.each([
    { exitCode: 42, restarts: 1 },
    { exitCode: 43, restarts: 0 },
  ])('by its restartPolicyRules: exit code $exitCode, restarts $restarts', async ({ exitCode, restarts }) => {
    const cluster = lightCluster({ main: { ends: { exitCode, after: 2_000 } } });
    const manifest = podManifest();
    manifest.spec.containers[0] = {
      name: 'main',
      image: 'docker.io/local/busybox:1',
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
    };
    cluster.world.createPod(manifest);
    await cluster.clock.advance(4_000);
    expect(mainOf(cluster.pod()).restartCount).toBe(restarts);
  });
});

function mainOf(pod: Pod) {
  const main = pod.status.containerStatuses?.find(({ name }) => name === 'main');
  if (!main) throw new Error('the pod has no main container');
  return main;
}

function runningSince(status: Pod['status'], container: string): string | undefined {
  return status.containerStatuses?.find(({ name }) => name === container)?.state.running?.startedAt;
}
