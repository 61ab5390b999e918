import * as z from 'zod';
import type { PodPlan, Target } from '../../plan/sweep-plan.ts';
import type { Candidate, Value } from '../../vocabulary.ts';
import { reportStep } from '../plan.ts';
import { plannedStep } from '../schema.ts';
import { describeContainer } from '../texts/outcomes.ts';
import { describePrediction } from '../texts/steps.ts';

export const explainedPlan = z
  .object({
    targets: z.array(
      z.object({
        container: z.string(),
        steps: z.array(plannedStep),
        skipped: z.string().optional().describe('why nothing would be sent'),
      }),
    ),
    lastResort: z.array(plannedStep).describe('for the whole pod, if a sidecar outlives its own steps'),
    unfit: z
      .array(z.object({ container: z.string(), step: z.string() }))
      .describe('steps that cannot work in this pod, or are not allowed'),
    expected: z.array(z.string()).describe('what would become of the pod and its Job'),
  })
  .describe('what a sweep would do now');

export type ExplainedPlan = Value<typeof explainedPlan>;

/** What a sweep would do about a candidate, and what would become of it. */
export function explainPlan(plan: PodPlan): ExplainedPlan {
  const { candidate, targets, lastResort, isProtected, prediction } = plan;
  return {
    targets: targets.map(explainTarget),
    lastResort: lastResort.map(reportStep),
    unfit: targets.flatMap(explainUnfit),
    expected: [describePrediction(prediction), ...ifUnclean(candidate, isProtected)],
  };
}

function explainTarget(target: Target): ExplainedPlan['targets'][number] {
  const { container } = target;
  if (target.kind === 'Skipped') return { container, steps: [], skipped: describeContainer(target.outcome) };
  return { container, steps: target.steps.map(reportStep) };
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
function ifUnclean({ pod, mains }: Candidate, isProtected: boolean): readonly string[] {
  if (mains.some(({ exitCode }) => exitCode !== 0)) {
    return ['a main failed, so the pod fails however its sidecars end'];
  }
  if (pod.restartPolicy === 'OnFailure') {
    return ['the kubelet restarts a sidecar that exits with a non-zero code'];
  }
  const jobToo = isProtected ? ', and its Job runs the finished work again' : '';
  return [`a sidecar that exits with a non-zero code fails the pod${jobToo}`];
}
