import { expect, it } from 'vitest';
import { imageAfter, type PlannedStep, stepsFor, timeOf } from '../../../src/plan/sweep-plan.ts';
import { plannedTarget, podPlan, skippedTarget, step, steps } from '../../builders/plan.ts';

const quit: PlannedStep = { ...steps.Http, exitCode: 0 };
const swap: PlannedStep = { ...steps.ImageSwap, exitCode: 0 };
const target = plannedTarget({ container: 'a', steps: [quit], uncertain: [step(15), step(9)] });

it('an image swap stands between the steps that end with 0 and those whose end is uncertain', () => {
  const forBoth = { ...swap, only: ['b', 'a'] };
  expect(stepsFor(target, { swap: forBoth })).toEqual([quit, forBoth, step(15), step(9)]);
});

it('a sidecar that cannot be swapped has no swap, and neither has any if there is none', () => {
  expect(stepsFor(target, { swap: { ...swap, only: ['b'] } })).toEqual([quit, step(15), step(9)]);
  expect(stepsFor(target, { swap: undefined })).toEqual([quit, step(15), step(9)]);
  expect(stepsFor(plannedTarget({ steps: [] }), { swap: undefined })).toEqual([]);
});

it('an image that admission rewrites for one sidecar stays what was asked for in another', () => {
  const rewritten = { ...swap, images: { a: 'mirror.example/noop:1' } };
  expect(['a', 'b'].map((name) => imageAfter(rewritten, name))).toEqual(['mirror.example/noop:1', 'noop:1']);
});

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
