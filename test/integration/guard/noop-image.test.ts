import { afterAll, beforeAll, expect, it } from 'vitest';
import { resolvePolicy } from '../../../src/index.ts';
import { stepSpec } from '../../../src/policy/steps.ts';
import { sidecarOutcome, sidecars, stuckPod } from '../stuck-pods.ts';
import { FastCluster, noopImage } from './fast-cluster.ts';

const missing = 'registry.example/missing:1';
const names = ['a', 'b', 'c', 'd'];

let fast: FastCluster;
beforeAll(async () => {
  fast = await FastCluster.start((_pod, { image }) => (image === missing ? { image: 'missing' } : undefined));
});
afterAll(() => fast.stop());

/** Sweeps pods that nothing but an image swap can end; what became of each, and how many pods were swapped. */
async function swapAll(namespace: string, image: string) {
  const before = fast.emulator.requests.length;
  fast.emulator.world.placePods(
    names.map((name) => stuckPod({ name, namespace, sidecar: sidecars.immune, grace: 2 })),
  );
  const policy = resolvePolicy({ namespaces: [namespace], lastResort: [] }, undefined);
  const report = await fast.sweep({ ...policy, lastResort: [stepSpec.parse({ imageSwap: { image } })] });
  const patches = fast.emulator.requests.slice(before).filter(({ method }) => method === 'PATCH');
  return { outcomes: names.map((name) => sidecarOutcome(report, name)), patches: patches.length };
}

it('all pods are swapped once the no-op image has run in the first', async () => {
  const { outcomes, patches } = await swapAll('runs', noopImage);
  expect(outcomes).toEqual(names.map(() => ({ kind: 'Stopped', exitCode: 0 })));
  expect(patches).toBe(names.length);
});

it('one pod is swapped, and no other, when the no-op image cannot be pulled', async () => {
  const { outcomes, patches } = await swapAll('missing', missing);
  expect(patches).toBe(1);
  expect(outcomes.map((outcome) => outcome?.kind).sort()).toEqual(['Held', 'Held', 'Held', 'NotStarted']);
  expect(outcomes.filter((outcome) => outcome?.kind === 'Held')).toEqual(
    Array(3).fill({ kind: 'Held', reason: 'NoopDoesNotStart' }),
  );
});
