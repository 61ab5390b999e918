import { newImageOf } from '../../methods/index.ts';
import type { PlannedStep, PodPlan } from '../../plan/sweep-plan.ts';
import { hasEndedUnclean } from './earlier.ts';
import type { Permit } from './guard.ts';

/**
 * How many of its Job's retries a step may use up: restarts under OnFailure, failed pods under Never. What ends with 0 by
 * itself uses none, unless it has not before in this very pod, and nor does what a canary has proved; a swapped image starts once
 * more, and that is a restart.
 */
export function spendOf(
  { candidate, uncleanCost }: PodPlan,
  step: PlannedStep,
  sidecars: number,
  permit: Permit,
): number {
  if (uncleanCost.kind === 'Nothing') return 0;
  const isUncertain = permit.kind === 'First' && step.exitCode === undefined;
  if (candidate.pod.restartPolicy !== 'OnFailure') return isUncertain ? 1 : 0;
  const { mainsEndedAt } = candidate;
  const wasUnclean = candidate.sidecars.some(({ container }) => hasEndedUnclean(container, mainsEndedAt));
  return isUncertain || wasUnclean || newImageOf(step) !== undefined ? sidecars : 0;
}
