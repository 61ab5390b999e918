import * as z from 'zod';
import { newImageOf } from '../../methods/index.ts';
import { container, list, object, text, texts, type Value } from '../../model/schema.ts';
import type { Prediction, UncleanCost } from '../../model/step.ts';
import type { Candidate } from '../../model/verdict.ts';
import {
  mayBeSent,
  type PlannedStep,
  type PodPlan,
  stepsFor,
  type Target,
  timeOf,
} from '../../plan/sweep-plan.ts';
import type { Policy } from '../../policy/policy.ts';
import { formatDuration } from '../../util/time.ts';
import { many } from '../format.ts';
import { plannedStep } from '../schema.ts';
import { reportStep } from '../sweep/fold.ts';
import { describeContainer } from '../texts/outcomes.ts';
import { describeCost, describePrediction } from '../texts/steps.ts';

export const explainedPlan = object('what a sweep would do now', {
  targets: list(
    'what would be done about each sidecar, in this order',
    z.object({
      container,
      steps: list('taken in this order, until it ends', plannedStep),
      skipped: text('why nothing would be sent').optional(),
    }),
  ),
  lastResort: list('for the whole pod, if a sidecar outlives its own steps', plannedStep),
  unfit: list(
    'steps that cannot work in this pod, or are not allowed',
    z.object({ container, step: text('the step and why, in words') }),
  ),
  expected: texts('what would become of the pod and its Job'),
});

export type ExplainedPlan = Value<typeof explainedPlan>;

export function explainPlan(plan: PodPlan, bounds: PlanBounds): ExplainedPlan {
  const { candidate, targets, lastResort, uncleanCost, prediction } = plan;
  const isLast = (target: Target) => Number(target.kind === 'Planned' && target.isMesh);
  return {
    // What other sidecars may talk through is ended after them.
    targets: targets
      .toSorted((one, other) => isLast(one) - isLast(other))
      .map((target) => ({
        container: target.container,
        steps: stepsOf(target, plan).map(reportStep),
        skipped: target.kind === 'Skipped' ? describeContainer(target.outcome) : undefined,
      })),
    lastResort: lastResort.map(reportStep),
    unfit: targets.flatMap(({ container, unfit }) =>
      unfit.map(({ method, reason, detail, does }) => ({
        container,
        step: reason === 'NoPermission' ? `${does ?? method}: needs ${detail}` : `${method}: ${detail}`,
      })),
    ),
    expected: [
      `${ifItWorks(plan)}${describePrediction(prediction)}`,
      ifUnclean(candidate, uncleanCost, prediction),
      ...ifCut(plan, bounds),
      ...ifKept(plan, bounds),
    ],
  };
}

/** What the policy says of how long a sweep waits for a pod, and what it keeps of it. */
export type PlanBounds = Pick<Policy, 'maxGrace' | 'keepLogs'>;

function stepsOf(target: Target, plan: PodPlan): readonly PlannedStep[] {
  return target.kind === 'Planned' ? stepsFor(target, plan) : [];
}

/** The prediction is that it does, but an image may lack the shell, or the kubelet refuse. */
function ifItWorks(plan: PodPlan): string {
  const { targets, lastResort } = plan;
  const steps = [...targets.flatMap((target) => stepsOf(target, plan)), ...lastResort];
  if (!steps.some(mayBeSent)) return '';
  return targets.length > 1 ? 'if the first step for each sidecar works, ' : 'if the first step works, ';
}

/**
 * The kubelet and the Job decide by exit codes.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/
 */
function ifUnclean({ pod, mains }: Candidate, cost: UncleanCost, { job }: Prediction): string {
  const failed = mains.find(({ exitCode }) => exitCode !== 0);
  if (failed) {
    const again = job === 'RunsAgain' ? ', and its Job runs again' : '';
    return `${failed.name} exited with ${failed.exitCode}, so the pod fails however its sidecars end${again}`;
  }
  const what = pod.restartPolicy === 'OnFailure' ? 'is restarted by the kubelet' : 'fails the pod';
  return `a sidecar that exits with a non-zero code ${what}${describeCost(cost)}`;
}

function ifCut(plan: PodPlan, { maxGrace }: PlanBounds): readonly string[] {
  const time = timeOf(plan);
  if (time <= maxGrace) return [];
  const [all, most] = [formatDuration(time), formatDuration(maxGrace)];
  return [
    `all steps together may take ${all}: a sweep will wait for this pod no longer than ${most}, and the next one goes on`,
  ];
}

function ifKept({ targets, swap, lastResort }: PodPlan, { keepLogs }: PlanBounds): readonly string[] {
  const own = targets.flatMap((target) => (target.kind === 'Planned' ? target.steps : []));
  const swaps = [...own, ...(swap ? [swap] : []), ...lastResort].some(
    (step) => newImageOf(step) !== undefined,
  );
  return swaps && keepLogs > 0
    ? [`before a swap, the report keeps the last ${many(keepLogs, 'line')} of its log`]
    : [];
}
