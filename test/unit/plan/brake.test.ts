import { expect, it } from 'vitest';
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

function braked(pods: number, listed: number, limit: string, most: number) {
  return { kind: 'Braked', pods, listed, limit, most };
}

const skipped = planFor(9, { targets: [skippedTarget()] });
const besideSkipped = planOf(podPlan({ targets: [skippedTarget(), plannedTarget()] }), ...skipped.pods);
const blockedTarget = plannedTarget({ steps: [{ ...step(), blocked: 'UnknownEnd' }] });
const blocked = planFor(30, { targets: [blockedTarget, skippedTarget('other')] });

// biome-ignore format: one row a line
it.each<readonly [title: string, plan: SweepPlan, listed: number, limits: Partial<typeof open>, expected: object | undefined]>([
  ['if it is for more pods than allowed', planFor(4), 100, { brakePods: 3 }, braked(4, 100, 'brakePods', 3)],
  ['not if it is for as many', planFor(3), 100, { brakePods: 3 }, undefined],
  ['if it is for a larger share of the pods listed than allowed', planFor(51), 100, { brakeShare: 50 }, braked(51, 100, 'brakeShare', 50)],
  ['not if it is for that share', planFor(50), 100, { brakeShare: 50 }, undefined],
  ['not for its share if it is for few pods', planFor(19), 19, { brakeShare: 10 }, undefined],
  ['for its share if it is for 20 pods', planFor(20), 20, { brakeShare: 10 }, braked(20, 20, 'brakeShare', 10)],
  ['if nothing at all is allowed', planFor(1), 1, { brakePods: 0 }, braked(1, 1, 'brakePods', 0)],
  ['not if nothing is planned', planFor(0), 0, { brakePods: 0, brakeShare: 0 }, undefined],
  ['not for pods that nothing is sent to', skipped, 9, { brakePods: 0 }, undefined],
  ['not for their share', planFor(30, { targets: [skippedTarget()] }), 30, { brakeShare: 50 }, undefined],
  ['for a pod that something is sent to beside them', besideSkipped, 9, { brakePods: 0 }, braked(1, 9, 'brakePods', 0)],
  ['not for pods of which every step is blocked', blocked, 100, { brakePods: 0 }, undefined],
  ['for the share of such pods, which are part of the plan', blocked, 100, { brakeShare: 20 }, braked(30, 100, 'brakeShare', 20)],
])('a plan is stopped %s', (_title, plan, listed, limits, expected) => {
  expect(brake(plan, listed, { ...open, ...limits })).toEqual(expected);
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
