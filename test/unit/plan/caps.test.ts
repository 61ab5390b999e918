import { describe, expect, it } from 'vitest';
import { withinCaps } from '../../../src/plan/caps.ts';
import { inFairOrder } from '../../../src/plan/order.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import type { Caps } from '../../../src/policy/policy.ts';
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

const none = { run: undefined, namespace: undefined, node: undefined };

/** The names of the pods that are taken, and of those that are left. */
function capped(pods: readonly Stuck[], caps: Partial<Caps>) {
  const ordered = inFairOrder(pods.map(stuckPlan), now);
  const { taken, left } = withinCaps({ asOf: now, pods: ordered, warnings: [] }, { ...none, ...caps });
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
    expect(capped(pods, { run: 2 })).toEqual({ taken: ['cpu-3', 'cpu-2'], left: { 'cpu-1': 'OverMaxPods' } });
    expect(capped(pods, { run: 3 }).left).toEqual({});
    expect(capped(pods, {}).taken).toEqual(['cpu-3', 'cpu-2', 'cpu-1']);
  });

  it('on each namespace leaves room for all others', () => {
    const other = { name: 'other', namespace: 'other', cpu: 0, plan: free };
    const { taken, left } = capped([...pods, other], { namespace: 1 });
    expect(taken).toEqual(['cpu-3', 'other']);
    expect(left).toEqual({ 'cpu-1': 'OverMaxPodsPerNamespace', 'cpu-2': 'OverMaxPodsPerNamespace' });
  });

  it('on each node leaves room for all others', () => {
    const other = { name: 'other', node: 'node2', cpu: 0, plan: free };
    const { taken, left } = capped([...pods, other], { node: 2 });
    expect(taken).toEqual(['cpu-3', 'cpu-2', 'other']);
    expect(left).toEqual({ 'cpu-1': 'OverMaxPodsPerNode' });
  });

  it('on all of them is shared among the namespaces', () => {
    const crowd = Array.from({ length: 50 }, (_, number) => {
      return { name: `crowd-${number}`, namespace: 'crowd', cpu: 100, plan: free };
    });
    expect(capped([...crowd, ...pods], { run: 3 }).taken).toEqual(['crowd-0', 'cpu-3', 'crowd-1']);
  });

  it('does not count pods that nothing is sent to', () => {
    const skipped = { name: 'skipped', cpu: 9, plan: { targets: [skippedTarget()] } };
    expect(capped([skipped, ...pods], { run: 1 }).taken).toEqual(['skipped', 'cpu-3']);
  });
});

it('pods whose node is unknown do not share one', () => {
  const nowhere = (name: string): PodPlan => ({
    ...stuckPlan({ name, plan: free }),
    candidate: candidate(podView({ ref: { namespace: 'demo', name, uid: name }, node: undefined })),
  });
  const pods = [nowhere('a'), nowhere('b')];
  const { taken } = withinCaps({ asOf: now, pods, warnings: [] }, { ...none, node: 1 });
  expect(taken).toHaveLength(2);
});
