import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resolvePolicy, type SweepReport } from '../../../src/index.ts';
import { ensureNamespace, type FaultAction } from '../../emulator/index.ts';
import { SimulatedCluster } from '../../properties/simulated-cluster.ts';
import { sidecars, stuckPod } from '../stuck-pods.ts';

/** Of each, so many pods. */
const each = 8;
const faults: readonly FaultAction[] = [
  { kind: 'Answer', status: 429, headers: { 'Retry-After': '1' } },
  { kind: 'Answer', status: 500, body: 'oops' },
  { kind: 'Answer', status: 503, body: '<html>busy</html>' },
  { kind: 'CutBody', bytes: 200 },
  { kind: 'Drop' },
];

let cluster: SimulatedCluster;
beforeAll(async () => {
  cluster = await SimulatedCluster.start(0);
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

/** One request of ten fails, at random: reads, writes, lists and execs. */
function stutter(seed: number): void {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (const [index, fault] of faults.entries()) {
    // Of the requests that the faults before it have left alone.
    cluster.emulator.faults.add({ when: () => random() < 0.1 / (faults.length - 0.1 * index) }, fault);
  }
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
    stutter(seed);
    const before = cluster.emulator.requests.length;
    const stuttering = await sweep(`stutter-${lastResort}-${seed}`, lastResort);
    const requests = cluster.emulator.requests.slice(before);
    expect(requests.filter(({ status }) => [429, 500, 503].includes(status)).length).toBeGreaterThan(3);
    expect(stuttering).toEqual(calm);
  });
});
