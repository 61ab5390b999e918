import type { PlannedStep, PlannedTarget, PodPlan } from './sweep-plan.ts';

/** The steps that are planned for one sidecar, in order, without those for the whole pod. */
export function stepsFor(
  target: PlannedTarget,
  { swap, swappable }: Pick<PodPlan, 'swap' | 'swappable'>,
): readonly PlannedStep[] {
  const swapping = swap && swappable.some(({ container }) => container === target.container) ? [swap] : [];
  return [...target.steps, ...swapping, ...target.uncertain];
}
