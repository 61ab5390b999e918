import * as z from 'zod';
import { container } from '../../fields.ts';
import { stepsFor } from '../../plan/steps-for.ts';
import type { PodPlan, Target } from '../../plan/sweep-plan.ts';
import type { Candidate, UncleanCost, Value } from '../../vocabulary.ts';
import { reportStep } from '../plan.ts';
import { plannedStep } from '../schema.ts';
import { describeContainer } from '../texts/outcomes.ts';
import { describeCost, describePrediction } from '../texts/steps.ts';

export const explainedPlan = z
  .object({
    targets: z
      .array(
        z.object({
          container,
          steps: z.array(plannedStep).describe('taken in this order, until it ends'),
          skipped: z.string().optional().describe('why nothing would be sent'),
        }),
      )
      .describe('what would be done about each sidecar, in this order'),
    lastResort: z.array(plannedStep).describe('for the whole pod, if a sidecar outlives its own steps'),
    unfit: z
      .array(z.object({ container, step: z.string().describe('the step and why, in words') }))
      .describe('steps that cannot work in this pod, or are not allowed'),
    expected: z.array(z.string()).describe('what would become of the pod and its Job'),
  })
  .describe('what a sweep would do now');

export type ExplainedPlan = Value<typeof explainedPlan>;

/** What a sweep would do about a candidate, and what would become of it. */
export function explainPlan(plan: PodPlan): ExplainedPlan {
  const { candidate, targets, lastResort, uncleanCost, prediction } = plan;
  return {
    targets: inTurn(targets).map((target) => explainTarget(target, plan)),
    lastResort: lastResort.map(reportStep),
    unfit: targets.flatMap(explainUnfit),
    expected: [describePrediction(prediction), ...ifUnclean(candidate, uncleanCost)],
  };
}

/** What other sidecars may talk through is ended after them. */
function inTurn(targets: readonly Target[]): readonly Target[] {
  const isLast = (target: Target) => target.kind === 'Planned' && target.isMesh;
  return targets.toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)));
}

function explainTarget(target: Target, plan: PodPlan): ExplainedPlan['targets'][number] {
  const { container } = target;
  if (target.kind === 'Skipped') return { container, steps: [], skipped: describeContainer(target.outcome) };
  return { container, steps: stepsFor(target, plan).map(reportStep) };
}

function explainUnfit({ container, unfit }: Target): ExplainedPlan['unfit'] {
  return unfit.map(({ method, reason, detail, does }) => ({
    container,
    step: reason === 'NoPermission' ? `${does ?? method}: needs ${detail}` : `${method}: ${detail}`,
  }));
}

/**
 * The kubelet and the Job decide by exit codes.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/
 */
function ifUnclean({ pod, mains }: Candidate, cost: UncleanCost): readonly string[] {
  if (mains.some(({ exitCode }) => exitCode !== 0)) {
    return ['a main failed, so the pod fails however its sidecars end'];
  }
  const what = pod.restartPolicy === 'OnFailure' ? 'is restarted by the kubelet' : 'fails the pod';
  return [`a sidecar that exits with a non-zero code ${what}${describeCost(cost)}`];
}
