import { describe, expect, it } from 'vitest';
import { brake } from '../../../src/plan/brake.ts';
import type { PodPlan, SweepPlan } from '../../../src/plan/sweep-plan.ts';
import type { Candidate, Evidence } from '../../../src/vocabulary.ts';
import { candidate, plannedTarget, podPlan, skippedTarget } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';

const stuck = candidate();

/** A candidate whose sidecar is known by this evidence. */
function by(because: Evidence): Candidate {
  return { ...stuck, sidecars: stuck.sidecars.map((sidecar) => ({ ...sidecar, because })) };
}

function planOf(...pods: readonly PodPlan[]): SweepPlan {
  return { asOf: now, pods, warnings: [] };
}

function planFor(pods: number, more: Partial<PodPlan> = {}): SweepPlan {
  return planOf(...Array.from({ length: pods }, () => podPlan({ candidate: stuck, ...more })));
}

const open = { maxPods: 1_000_000, maxShare: 100 };

describe('a plan is stopped', () => {
  it('if it is for more pods than allowed', () => {
    const limits = { ...open, maxPods: 3 };
    expect(brake(planFor(3), 100, limits)).toBeUndefined();
    expect(brake(planFor(4), 100, limits)).toEqual({
      kind: 'Braked',
      pods: 4,
      listed: 100,
      limit: 'maxPods',
      most: 3,
    });
  });

  it('if it is for a larger share of the pods listed than allowed', () => {
    const limits = { ...open, maxShare: 50 };
    expect(brake(planFor(50), 100, limits)).toBeUndefined();
    expect(brake(planFor(51), 100, limits)).toMatchObject({ pods: 51, limit: 'maxShare', most: 50 });
  });

  it('but not for its share if it is for few pods', () => {
    const limits = { ...open, maxShare: 10 };
    expect(brake(planFor(19), 19, limits)).toBeUndefined();
    expect(brake(planFor(20), 20, limits)).toMatchObject({ limit: 'maxShare' });
  });

  it('if nothing at all is allowed, but not if nothing is planned', () => {
    expect(brake(planFor(1), 1, { ...open, maxPods: 0 })).toMatchObject({ pods: 1, most: 0 });
    expect(brake(planFor(0), 0, { maxPods: 0, maxShare: 0 })).toBeUndefined();
  });
});

it('pods that nothing is sent to do not count', () => {
  const skipped = planFor(9, { targets: [skippedTarget()] });
  expect(brake(skipped, 9, { ...open, maxPods: 0 })).toBeUndefined();
  const half = planOf(podPlan({ targets: [skippedTarget(), plannedTarget()] }), ...skipped.pods);
  expect(brake(half, 9, { ...open, maxPods: 0 })).toMatchObject({ pods: 1 });
});

it('the rule that matches in most pods is told', () => {
  const rule = (name: string) => podPlan({ candidate: by({ kind: 'Rule', rule: name }) });
  const plan = planOf(rule('narrow'), rule('wide'), rule('wide'), podPlan());
  expect(brake(plan, 9, { ...open, maxPods: 0 })).toMatchObject({ pods: 4, rule: 'wide', byRule: 2 });
});
