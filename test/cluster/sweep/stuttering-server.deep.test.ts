import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { sidecars, stuckPod } from '../../kit/stuck-pods.ts';
import { stutter } from '../../kit/stutter.ts';

/** Of each, so many pods. */
const each = 8;

let cluster: SimulatedCluster;
beforeAll(async () => {
  cluster = await SimulatedCluster.start();
});
afterEach(() => cluster.emulator.faults.clear());
afterAll(() => cluster.stop());

/** What came of each pod and its sidecar in a namespace of its own, which every kind of pod is in. */
async function sweep(namespace: string, lastResort: 'none' | 'evict' | 'delete'): Promise<object> {
  ensureNamespace(cluster.emulator.world, namespace);
  const kinds = Object.entries(sidecars);
  cluster.emulator.world.placePods(
    kinds.flatMap(([kind, sidecar]) =>
      Array.from({ length: each }, (_, index) =>
        stuckPod({ namespace, name: `${kind.toLowerCase()}-${index}`, sidecar }),
      ),
    ),
  );
  const flags = {
    namespaces: [namespace],
    maxPods: 1_000,
    lastResort: lastResort === 'none' ? [] : [lastResort],
  };
  const sweeping = cluster.sweep(namespace, resolvePolicy(flags, undefined), () => undefined);
  return outcomesOf(await cluster.simulation.run(sweeping));
}

function outcomesOf({ pods }: SweepReport): object {
  return Object.fromEntries(
    pods.map(({ name, outcome, containers }) => [
      name,
      [outcome.kind, ...containers.flatMap((one) => (one.role === 'Sidecar' ? [one.outcome.kind] : []))],
    ]),
  );
}

describe('an API server that fails one request of ten with 429, 500, 503, a cut body or a reset', () => {
  it.each([
    ['none', 1],
    ['none', 2],
    ['evict', 3],
    ['delete', 4],
  ] as const)('changes the outcome of no pod (last resort: %s, seed %i)', async (lastResort, seed) => {
    const calm = await sweep(`calm-${lastResort}-${seed}`, lastResort);
    expect(Object.keys(calm)).toHaveLength(each * Object.keys(sidecars).length);
    const failed = stutter(cluster.emulator, seed);
    const stuttering = await sweep(`stutter-${lastResort}-${seed}`, lastResort);
    expect(failed()).toBeGreaterThan(0);
    expect(stuttering).toEqual(calm);
  });
});
