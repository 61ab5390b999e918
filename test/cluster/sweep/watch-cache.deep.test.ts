import { describe, expect, it } from 'vitest';
import type { Pod } from '../../kit/emulator/index.ts';
import { startedForEach } from '../../kit/started.ts';
import { podOutcome, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedForEach(() => TestCluster.start(['a', 'b', 'c'].map((name) => stuckPod({ name }))));

/** As if the API server that is asked had fallen behind etcd: its lists from memory show the state of now. */
function freezeCache(): void {
  const { store } = cluster.emulator.world;
  store.cachedAt = store.resourceVersion;
}

function execsIn(name: string) {
  return cluster.emulator.requests.filter((each) => each.subresource === 'exec' && each.name === name);
}

describe('a list from a watch cache that is behind', () => {
  it('leads to nothing being sent to a pod that has ended since', async () => {
    freezeCache();
    const { store } = cluster.emulator.world;
    store.update<Pod>('pods', 'demo', 'a', (pod) => ({
      ...pod,
      status: { ...pod.status, phase: 'Succeeded' },
    }));
    store.delete('pods', 'demo', 'b');
    const { report } = await cluster.sweep(['--no-lock']);
    expect(report.totals.listed).toBe(3);
    expect(podOutcome(report, 'c')?.kind).toBe('Ended');
    expect([...execsIn('a'), ...execsIn('b')]).toEqual([]);
  });

  it('lacks a pod until the next sweep', async () => {
    freezeCache();
    cluster.emulator.world.placePods([stuckPod({ name: 'd' })]);
    expect((await cluster.sweep(['--no-lock'])).report.totals.listed).toBe(3);
    cluster.emulator.world.store.cachedAt = undefined;
    const { report } = await cluster.sweep(['--no-lock']);
    expect(podOutcome(report, 'd')?.kind).toBe('Ended');
  });

  it('proves nothing: that a pod has ended is read from etcd', async () => {
    freezeCache();
    const began = cluster.emulator.requests.length;
    await cluster.sweep(['--no-lock']);
    const paths = cluster.emulator.requests.slice(began).map(({ path }) => path);
    const fromCache = paths.filter((path) => path.includes('resourceVersion=0'));
    expect(fromCache).toHaveLength(1);
    expect(paths.indexOf(fromCache[0] ?? '')).toBe(paths.findIndex((path) => path.includes('/pods?')));
  });
});
