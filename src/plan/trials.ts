import { newImageOf } from '../methods/index.ts';
import { isCleared } from './clearance.ts';
import { stepsFor } from './steps-for.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from './sweep-plan.ts';

/** Something that one pod tries before others do it. */
export interface PlannedTrial {
  readonly name: string;
  /** Whether the pod may be the one that tries; if not, it only follows. */
  readonly mayLead: boolean;
}

/** All that a pod tries, or waits for others to try. */
export function trialsOf(plan: PodPlan): readonly PlannedTrial[] {
  const planned = plan.targets.filter((target) => target.kind === 'Planned');
  return planned.flatMap((target) =>
    [...stepsFor(target, plan), ...plan.lastResort]
      .filter((step) => isCleared(step))
      .flatMap((step) => trialOf(step, target)),
  );
}

/** Whether the sweep may send anything to a pod. */
export function mayAct(plan: PodPlan): boolean {
  return plan.targets.some(
    (target) => target.kind === 'Planned' && [...stepsFor(target, plan), ...plan.lastResort].some(isCleared),
  );
}

/** What an image swap starts, and how: what has no recording of a swap is tried on its own. */
export function startOf({ pull, program, swapSigns }: PlannedTarget): string {
  return JSON.stringify([pull, program ?? null, ...swapSigns]);
}

function trialOf(step: PlannedStep, target: PlannedTarget): readonly PlannedTrial[] {
  const mayLead = step.clearance !== 'Follower';
  const newImage = newImageOf(step);
  if (newImage !== undefined) return [{ name: `${newImage} ${startOf(target)}`, mayLead }];
  return step.clearance === 'Free' ? [] : [{ name: target.alike, mayLead }];
}
