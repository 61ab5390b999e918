import { expect, it } from 'vitest';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { stepsFor } from '../../../src/plan/sweep-plan.ts';
import { plannedTarget, step, steps } from '../../builders/plan.ts';

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
