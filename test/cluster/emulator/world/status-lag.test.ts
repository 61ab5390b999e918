import { describe, expect, it } from 'vitest';
import {
  type Emulator,
  ensureNamespace,
  type Pod,
  startEmulator,
  steppedClock,
} from '../../../kit/emulator/index.ts';
import { exchange } from '../../../kit/replay/client.ts';
import { lightCluster, NAMESPACE, podManifest, stateOf } from './support/light-cluster.ts';

const DONE = { ends: { exitCode: 0, after: 1_000 } };
const kill = ['kill', '-15', '1'];

describe('A kubelet that lags', () => {
  it('writes the end of a container late', async () => {
    const cluster = lightCluster({ main: DONE }, { statusLag: ({ node }) => (node === 'node1' ? 8_000 : 0) });
    cluster.world.createPod(podManifest());
    await cluster.clock.advance(12_000);
    await cluster.run('sidecar', kill);
    await cluster.clock.advance(8_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('running');
    await cluster.clock.advance(1_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('terminated 0');
  });

  it('may lag only when many containers end at once', async () => {
    const cluster = lightCluster({}, { statusLag: ({ recentEnds }) => (recentEnds > 2 ? 5_000 : 0) });
    const names = ['a', 'b', 'c'];
    for (const name of names) cluster.world.createPod(podManifest({}, name));
    await cluster.clock.advance(3_000);
    for (const name of names) await cluster.run('sidecar', kill, name);
    await cluster.clock.advance(1_000);
    const states = () => names.map((name) => stateOf(cluster.pod(name), 'sidecar'));
    expect(states()).toEqual(['terminated 0', 'terminated 0', 'running']);
    await cluster.clock.advance(5_000);
    expect(states()).toEqual(['terminated 0', 'terminated 0', 'terminated 0']);
  });

  it('lets the exec that ends the container die, and finds no container afterwards', async () => {
    const clock = steppedClock();
    const emulator = await startEmulator({ clock, statusLag: () => 8_000 });
    try {
      ensureNamespace(emulator.world, NAMESPACE);
      emulator.world.createPod(podManifest());
      await clock.advance(3_000);
      const first = await execKill(emulator);
      expect(first.frames?.at(-1)?.text).toContain('exit code 137');
      const second = await execKill(emulator);
      expect(second.response).toMatchObject({ status: 500, body: 'container not found ("sidecar")' });
      expect(statusOf(emulator)).toHaveProperty('running');
    } finally {
      await emulator.stop();
    }
  });
});

function execKill(emulator: Emulator) {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/pod/exec`;
  const query = `${kill.map((word) => `command=${word}`).join('&')}&container=sidecar&stdout=true`;
  return exchange(emulator, { method: 'GET', path: `${path}?${query}`, protocols: ['v5.channel.k8s.io'] });
}

function statusOf({ world }: Emulator) {
  const [pod] = world.store.list<Pod>('pods', NAMESPACE);
  return pod?.status.containerStatuses?.find(({ name }) => name === 'sidecar')?.state;
}
