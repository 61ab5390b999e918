import { describe, expect, it } from 'vitest';
import { createWorld, emulatorClock, type Placement } from '../../../kit/emulator/index.ts';
import { lightCluster, NAMESPACE, podManifest, stateOf } from './support/light-cluster.ts';
import { normalised, type Recording, readRecording } from './support/recording.ts';

describe('Placed pods', () => {
  it('have the status of the recorded stuck pod', () => {
    const { podBefore } = readRecording<Recording>('term-clean-exit');
    const cluster = lightCluster();
    cluster.world.placePods(stuckPods(1, cluster.clock.now()));
    expect(normalised(cluster.pod('stuck-0').status)).toEqual(normalised(podBefore.status));
  });

  it('react to exec, image changes and deletion like other pods', async () => {
    const cluster = lightCluster({ sidecar: { on: { SIGTERM: { exitCode: 143 } } } });
    cluster.world.placePods(stuckPods(3, cluster.clock.now()));
    await cluster.run('sidecar', ['sh', '-c', 'kill -15 1'], 'stuck-0');
    cluster.patch(
      (pod) => ({
        ...pod,
        spec: {
          ...pod.spec,
          containers: pod.spec.containers.map((container) =>
            container.name === 'sidecar' ? { ...container, image: 'docker.io/local/nop:1' } : container,
          ),
        },
      }),
      'stuck-1',
    );
    cluster.world.deletePod(NAMESPACE, 'stuck-2');
    await cluster.clock.advance(10_000);
    expect(stateOf(cluster.pod('stuck-0'), 'sidecar')).toBe('terminated 143');
    expect(cluster.pod('stuck-0').status.phase).toBe('Failed');
    expect(cluster.pod('stuck-1').status.phase).toBe('Succeeded');
    expect(cluster.pods()).toHaveLength(2);
  });

  it('number ten thousand, and cause no writes while idle', async () => {
    const world = createWorld({ clock: emulatorClock(), runtime: 'light' });
    const pods = world.placePods(stuckPods(10_000, new Date()));
    expect(pods).toHaveLength(10_000);
    const version = world.store.resourceVersion;
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.store.resourceVersion).toBe(version);
    await world.stop();
  });
});

function* stuckPods(count: number, now: Date): Generator<Placement> {
  const { spec } = podManifest();
  const finishedAt = new Date(now.getTime() - 3_600_000);
  for (let index = 0; index < count; index++) {
    yield {
      manifest: { metadata: { name: `stuck-${index}`, namespace: NAMESPACE }, spec },
      states: { main: { kind: 'terminated', exitCode: 0, finishedAt } },
    };
  }
}
