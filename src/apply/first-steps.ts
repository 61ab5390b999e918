import { isCleared } from '../plan/clearance.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from '../plan/sweep-plan.ts';

interface FirstStep {
  readonly step: PlannedStep;
  readonly targets: readonly PlannedTarget[];
}

/** What a pod begins with, side by side; nothing if that is not known before it begins. */
export function firstSteps({ targets, swap, swappable }: PodPlan): readonly FirstStep[] {
  const planned = targets.filter((target) => target.kind === 'Planned');
  const others = planned.filter(({ isMesh }) => !isMesh);
  const own = (others.length > 0 ? others : planned).flatMap((target) => {
    const step = target.steps.find(isCleared);
    return step ? [{ step, targets: [target] }] : [];
  });
  if (own.length > 0 || !swap || !isCleared(swap)) return own;
  const swapped = planned.filter(({ container }) => swappable.some((one) => one.container === container));
  return [{ step: swap, targets: swapped }];
}
