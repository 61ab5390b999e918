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

  it('takes the pods that waste most, and leaves the others for the next sweep', () => {
    expect(capped(pods, { maxPods: 2 })).toEqual({
      taken: ['cpu-3', 'cpu-2'],
      left: { 'cpu-1': 'OverMaxPods' },
    });
    expect(capped(pods, { maxPods: 3 }).left).toEqual({});
    expect(capped(pods, {}).taken).toEqual(['cpu-3', 'cpu-2', 'cpu-1']);
  });

  it('on each namespace leaves room for all others', () => {
    const other = { name: 'other', namespace: 'other', cpu: 0, plan: free };
    const { taken, left } = capped([...pods, other], { maxPodsPerNamespace: 1 });
    expect(taken).toEqual(['cpu-3', 'other']);
    expect(left).toEqual({ 'cpu-1': 'OverMaxPodsPerNamespace', 'cpu-2': 'OverMaxPodsPerNamespace' });
  });

  it('on each node leaves room for all others', () => {
    const other = { name: 'other', node: 'node2', cpu: 0, plan: free };
    const { taken, left } = capped([...pods, other], { maxPodsPerNode: 2 });
    expect(taken).toEqual(['cpu-3', 'cpu-2', 'other']);
    expect(left).toEqual({ 'cpu-1': 'OverMaxPodsPerNode' });
  });

  it('on all of them is shared among the namespaces', () => {
    const crowd = Array.from({ length: 50 }, (_, number) => {
      return { name: `crowd-${number}`, namespace: 'crowd', cpu: 100, plan: free };
    });
    expect(capped([...crowd, ...pods], { maxPods: 3 }).taken).toEqual(['crowd-0', 'cpu-3', 'crowd-1']);
  });

  it('does not count pods that nothing is sent to', () => {
    const skipped = { name: 'skipped', cpu: 9, plan: { targets: [skippedTarget()] } };
    expect(capped([skipped, ...pods], { maxPods: 1 }).taken).toEqual(['skipped', 'cpu-3']);
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
