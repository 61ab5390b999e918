import { expect, it } from 'vitest';
import { timeOf } from '../../../src/plan/sweep-plan.ts';
import { plannedTarget, podPlan, skippedTarget, step, steps } from '../../builders/plan.ts';

it('all steps for a pod take their times together, also those of which one may be enough', () => {
  const target = plannedTarget({
    steps: [step(15, { grace: 1_000 })],
    uncertain: [step(9, { grace: 20_000 })],
  });
  const plan = podPlan({ targets: [target, skippedTarget(), target] });
  expect(timeOf(plan)).toBe(42_000);
  expect(timeOf({ ...plan, swap: steps.ImageSwap, lastResort: [steps.Evict] })).toBe(102_000);
  expect(timeOf({ ...plan, targets: [] })).toBe(0);
});
