import { describe, expect, it } from 'vitest';
import type { Candidate, Evidence } from '../../../src/model/verdict.ts';
import { brake as brakeFor } from '../../../src/plan/caps.ts';
import type { PodPlan, SweepPlan } from '../../../src/plan/sweep-plan.ts';
import { candidate, plannedTarget, podPlan, skippedTarget, step } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';

const stuck = candidate();

function by(because: Evidence): Candidate {
  return { ...stuck, sidecars: stuck.sidecars.map((sidecar) => ({ ...sidecar, because })) };
}

function planOf(...pods: readonly PodPlan[]): SweepPlan {
  return { asOf: now, pods, warnings: [] };
}

function planFor(pods: number, more: Partial<PodPlan> = {}): SweepPlan {
  return planOf(...Array.from({ length: pods }, () => podPlan({ candidate: stuck, ...more })));
}

/** The brake on a sweep without caps. */
function brake(plan: SweepPlan, listed: number, limits: typeof open, taken = plan.pods) {
  return brakeFor(plan, taken, listed, 0, { ...limits, maxPods: undefined });
}

const open = { brakePods: 1_000_000, brakeShare: 100 };

describe('a plan is stopped', () => {
  it('if it is for more pods than allowed', () => {
    const limits = { ...open, brakePods: 3 };
    expect(brake(planFor(3), 100, limits)).toBeUndefined();
    const expected = { kind: 'Braked', pods: 4, listed: 100, limit: 'brakePods', most: 3 };
    expect(brake(planFor(4), 100, limits)).toEqual(expected);
  });

  it('if it is for a larger share of the pods listed than allowed', () => {
    const limits = { ...open, brakeShare: 50 };
    expect(brake(planFor(50), 100, limits)).toBeUndefined();
    expect(brake(planFor(51), 100, limits)).toMatchObject({ pods: 51, limit: 'brakeShare', most: 50 });
  });

  it('but not for its share if it is for few pods', () => {
    const limits = { ...open, brakeShare: 10 };
    expect(brake(planFor(19), 19, limits)).toBeUndefined();
    expect(brake(planFor(20), 20, limits)).toMatchObject({ limit: 'brakeShare' });
  });

  it('if nothing at all is allowed, but not if nothing is planned', () => {
    expect(brake(planFor(1), 1, { ...open, brakePods: 0 })).toMatchObject({ pods: 1, most: 0 });
    expect(brake(planFor(0), 0, { brakePods: 0, brakeShare: 0 })).toBeUndefined();
  });
});

it('pods that nothing is sent to do not count', () => {
  const skipped = planFor(9, { targets: [skippedTarget()] });
  expect(brake(skipped, 9, { ...open, brakePods: 0 })).toBeUndefined();
  const half = planOf(podPlan({ targets: [skippedTarget(), plannedTarget()] }), ...skipped.pods);
  expect(brake(half, 9, { ...open, brakePods: 0 })).toMatchObject({ pods: 1 });
  const many = planFor(30, { targets: [skippedTarget()] });
  expect(brake(many, 30, { ...open, brakeShare: 50 })).toBeUndefined();
});

it('pods of which every step is blocked are part of the plan, but not acted on', () => {
  const blocked = planFor(30, {
    targets: [plannedTarget({ steps: [{ ...step(), blocked: 'UnknownEnd' }] })],
  });
  expect(brake(blocked, 100, { ...open, brakePods: 0 })).toBeUndefined();
  expect(brake(blocked, 100, { ...open, brakeShare: 20 })).toMatchObject({ pods: 30, limit: 'brakeShare' });
});

it('of the pods that come later, a cap lets through no more than are left of it', () => {
  const plan = planFor(3);
  const brakeLater = (run: number | undefined) =>
    brakeFor(plan, plan.pods, 100, 50, { ...open, brakePods: 4, maxPods: run });
  expect(brakeLater(undefined)).toMatchObject({ pods: 53, limit: 'brakePods' });
  expect(brakeLater(5)).toMatchObject({ pods: 5, limit: 'brakePods' });
  expect(brakeLater(4)).toBeUndefined();
  const share = brakeFor(plan, plan.pods, 100, 50, { ...open, brakeShare: 50, maxPods: 4 });
  expect(share).toMatchObject({ pods: 53, limit: 'brakeShare' });
});

it('the rule that matches in most pods is told', () => {
  const rule = (name: string) => podPlan({ candidate: by({ kind: 'Rule', rule: name }) });
  const plan = planOf(rule('narrow'), rule('wide'), rule('wide'), podPlan());
  expect(brake(plan, 9, { ...open, brakePods: 0 })).toMatchObject({ pods: 4, rule: 'wide', byRule: 2 });
});

it('a cap lets through what it leaves few enough of, but the share is of the whole plan', () => {
  const plan = planFor(50);
  const few = plan.pods.slice(0, 3);
  expect(brake(plan, 100, { ...open, brakePods: 3 }, few)).toBeUndefined();
  expect(brake(plan, 100, { ...open, brakePods: 2 }, few)).toMatchObject({ pods: 3, limit: 'brakePods' });
  expect(brake(plan, 100, { ...open, brakeShare: 40 }, few)).toMatchObject({ pods: 50, limit: 'brakeShare' });
});
