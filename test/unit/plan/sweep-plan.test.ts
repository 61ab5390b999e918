import { expect, it } from 'vitest';
import { imageAfter, type PlannedStep, stepsFor, timeOf } from '../../../src/plan/sweep-plan.ts';
import { plannedTarget, podPlan, skippedTarget, step, steps } from '../../builders/plan.ts';

const quit: PlannedStep = { ...steps.Http, exitCode: 0 };
const swap: PlannedStep = { ...steps.ImageSwap, exitCode: 0 };
const target = plannedTarget({ container: 'a', steps: [quit], uncertain: [step(15), step(9)] });
const swappable = (...names: readonly string[]) =>
  names.map((container) => ({ container, image: undefined }));

it('an image swap stands between the steps that end with 0 and those whose end is uncertain', () => {
  expect(stepsFor(target, { swap, swappable: swappable('b', 'a') })).toEqual([quit, swap, step(15), step(9)]);
});

it('a sidecar that cannot be swapped has no swap, and neither has any if there is none', () => {
  expect(stepsFor(target, { swap, swappable: swappable('b') })).toEqual([quit, step(15), step(9)]);
  expect(stepsFor(target, { swap: undefined, swappable: swappable('a') })).toEqual([quit, step(15), step(9)]);
  expect(stepsFor(plannedTarget({ steps: [] }), { swap: undefined, swappable: [] })).toEqual([]);
});

it('an image that admission rewrites for one sidecar stays what was asked for in another', () => {
  const rewritten = { from: 'noop:1', to: 'mirror.example/noop:1' };
  const plan = { swappable: [{ container: 'a', rewritten }, { container: 'b' }] };
  expect(['a', 'b'].map((name) => imageAfter(swap, name, plan))).toEqual([rewritten.to, 'noop:1']);
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
