import { expect, it } from 'vitest';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { podOutcome, stuckPod } from '../../kit/stuck-pods.ts';

it('nothing is sent to a namespace that opts out while the question is open', async () => {
  const cluster = await SimulatedCluster.start();
  const { world, requests } = cluster.emulator;
  ensureNamespace(world, 'demo');
  world.placePods(['one', 'two'].map((name) => stuckPod({ name })));
  let before = 0;
  const confirm = async () => {
    world.store.update('namespaces', undefined, 'demo', (one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { 'sidecar-sweeper.dev/skip': 'true' } },
    }));
    await cluster.simulation.pass(60_000);
    before = requests.length;
    return true;
  };
  const report = await cluster.sweepIn('demo', { namespaces: [] }, undefined, { confirm });
  await cluster.stop();
  const because = [expect.objectContaining({ kind: 'NamespaceOptedOut' })];
  const reason = { kind: 'NoLongerCandidate', because };
  for (const name of ['one', 'two']) expect(podOutcome(report, name)).toEqual({ kind: 'Skipped', reason });
  const asked = requests.slice(before).filter(({ resource }) => resource === 'namespaces');
  expect(asked.length).toBe(1);
});
