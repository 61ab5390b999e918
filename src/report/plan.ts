import { describeStep } from '../methods/index.ts';
import type { PlannedStep } from '../plan/sweep-plan.ts';
import type { PodView } from '../vocabulary/pod.ts';
import type { PlannedStepReport, PodReport } from './schema.ts';

/** A step of the plan. */
export function reportStep(step: PlannedStep): PlannedStepReport {
  const { method, source, grace, exitCode, clearance, raisesLimit } = step;
  return {
    method,
    does: describeStep(step),
    source,
    graceMs: grace,
    ...(exitCode !== undefined && { expectedExitCode: exitCode }),
    clearance,
    ...(raisesLimit && { raisesBackoffLimit: true }),
  };
}

/** The owner of a pod, if it has one. */
export function reportOwner({ owner }: PodView): Pick<PodReport, 'owner'> {
  return owner ? { owner: { kind: owner.kind, name: owner.name } } : {};
}
