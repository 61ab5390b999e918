import { describe, expect, it } from 'vitest';
import { CapCount } from '../../../src/plan/caps.ts';
import { inFairOrder } from '../../../src/plan/order.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import {
  candidate,
  nameOf,
  plannedTarget,
  type Stuck,
  skippedTarget,
  step,
  stuckPlan,
} from '../../builders/plan.ts';
import { now, podView } from '../../builders/pod-view.ts';

const none = { maxPods: undefined, maxPodsPerNamespace: undefined, maxPodsPerNode: undefined };

/** The names of the pods that are taken, and of those that are left. */
function capped(pods: readonly Stuck[], caps: Partial<Policy>) {
  const ordered = inFairOrder(pods.map(stuckPlan), now);
  const { taken, left } = new CapCount({ ...none, ...caps }).take({ asOf: now, pods: ordered, warnings: [] });
  return {
    taken: taken.map(nameOf),
    left: Object.fromEntries(left.map(({ plan, reason }) => [nameOf(plan), reason])),
  };
}

/** The plan of a pod that needs no other to try first. */
const free: Partial<PodPlan> = { targets: [plannedTarget({ steps: [step(15, {})] })] };

describe('a cap', () => {
  const pods = [1, 2, 3].map((cpu) => ({ name: `cpu-${cpu}`, cpu, plan: free }));

  const elsewhere = { name: 'other', namespace: 'other', cpu: 0, plan: free };
  const beside = { name: 'other', node: 'node2', cpu: 0, plan: free };
  const skipped = { name: 'skipped', cpu: 9, plan: { targets: [skippedTarget()] } };
  const crowd = Array.from({ length: 50 }, (_, number) => {
    return { name: `crowd-${number}`, namespace: 'crowd', cpu: 100, plan: free };
  });
  const ofNamespace = 'OverMaxPodsPerNamespace';

  // biome-ignore format: one row a line
  it.each<readonly [title: string, pods: readonly Stuck[], caps: Partial<Policy>, taken: readonly string[], left: object]>([
    ['takes the pods that waste most, and leaves the others for the next sweep', pods, { maxPods: 2 }, ['cpu-3', 'cpu-2'], { 'cpu-1': 'OverMaxPods' }],
    ['takes as many as it says', pods, { maxPods: 3 }, ['cpu-3', 'cpu-2', 'cpu-1'], {}],
    ['takes all if there is none', pods, {}, ['cpu-3', 'cpu-2', 'cpu-1'], {}],
    ['on each namespace leaves room for all others', [...pods, elsewhere], { maxPodsPerNamespace: 1 }, ['cpu-3', 'other'], { 'cpu-1': ofNamespace, 'cpu-2': ofNamespace }],
    ['on each node leaves room for all others', [...pods, beside], { maxPodsPerNode: 2 }, ['cpu-3', 'cpu-2', 'other'], { 'cpu-1': 'OverMaxPodsPerNode' }],
    ['does not count pods that nothing is sent to', [skipped, ...pods], { maxPods: 1 }, ['skipped', 'cpu-3'], { 'cpu-1': 'OverMaxPods', 'cpu-2': 'OverMaxPods' }],
  ])('%s', (_title, all, caps, taken, left) => {
    expect(capped(all, caps)).toEqual({ taken, left });
  });

  it('on all of them is shared among the namespaces', () => {
    expect(capped([...crowd, ...pods], { maxPods: 3 }).taken).toEqual(['crowd-0', 'cpu-3', 'crowd-1']);
  });
});

it('pods whose node is unknown do not share one', () => {
  const nowhere = (name: string): PodPlan => ({
    ...stuckPlan({ name, plan: free }),
    candidate: candidate(podView({ ref: { namespace: 'demo', name, uid: name }, node: undefined })),
  });
  const pods = [nowhere('a'), nowhere('b')];
  const { taken } = new CapCount({ ...none, maxPodsPerNode: 1 }).take({ asOf: now, pods, warnings: [] });
  expect(taken).toHaveLength(2);
});
