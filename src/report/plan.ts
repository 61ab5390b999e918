import { describeStep } from '../methods/index.ts';
import type { PodView } from '../model/pod.ts';
import type { Candidate } from '../model/verdict.ts';
import type { PlannedStep } from '../plan/sweep-plan.ts';
import { iso } from './format.ts';
import type { PlannedStepReport, PodReport } from './schema.ts';

/** A step of the plan. */
export function reportStep(step: PlannedStep): PlannedStepReport {
  const { method, source, grace, exitCode, blocked, raisesLimit } = step;
  return {
    method,
    does: describeStep(step),
    source,
    graceMs: grace,
    ...(exitCode !== undefined && { expectedExitCode: exitCode }),
    ...(blocked && { blocked }),
    ...(raisesLimit && { raisesBackoffLimit: true }),
  };
}

/** The owner of a pod, if it has one. */
export function reportOwner({ owner }: PodView): Pick<PodReport, 'owner'> {
  return owner ? { owner: { kind: owner.kind, name: owner.name } } : {};
}

/** What every report of a stuck pod begins with. */
export function reportCandidate({ pod, mainsEndedAt }: Candidate) {
  return {
    ...pod.ref,
    ...(pod.node !== undefined && { node: pod.node }),
    ...reportOwner(pod),
    restartPolicy: pod.restartPolicy,
    mainsEndedAt: iso(mainsEndedAt),
  };
}
