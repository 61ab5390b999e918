import * as z from 'zod';
import type { Candidate, PodPlan, Step, Target, UncleanExit, Unfit } from '../vocabulary.ts';
import { reportStep } from './reported-steps.ts';
import { type PlannedStep, plannedStep, type Value } from './schema.ts';
import { describeContainer } from './texts/outcomes.ts';
import { describePrediction } from './texts/steps.ts';

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
      .describe('steps that the pod shows cannot work'),
    expected: z.array(z.string()).describe('what follows from how a sidecar ends'),
  })
  .describe('what a sweep would do now');

export type ExplainedPlan = Value<typeof explainedPlan>;

/** What a sweep would do about a candidate, and what would come of it. */
export function reportPlan(plan: PodPlan, rule: UncleanExit): ExplainedPlan {
  const { candidate, targets, lastResort, isProtected, prediction } = plan;
  const toStep = (step: Step) => reportStep(step, isProtected, rule);
  return {
    targets: targets.map((target) => reportTarget(target, toStep)),
    lastResort: lastResort.map(toStep),
    unfit: targets.flatMap((target) => (target.kind === 'Planned' ? reportUnfit(target) : [])),
    expected: [describePrediction(prediction), ...ifUnclean(candidate, isProtected)],
  };
}

function reportTarget(target: Target, toStep: (step: Step) => PlannedStep): ExplainedPlan['targets'][number] {
  const { container } = target;
  if (target.kind === 'Skipped') return { container, steps: [], skipped: describeContainer(target.outcome) };
  return { container, steps: target.steps.map(toStep) };
}

function reportUnfit({
  container,
  unfit,
}: {
  readonly container: string;
  readonly unfit: readonly Unfit[];
}): ExplainedPlan['unfit'] {
  return unfit.map(({ method, detail }) => ({ container, step: `${method}: ${detail}` }));
}

/** The kubelet and the Job decide by exit codes: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/ */
function ifUnclean({ pod, mains }: Candidate, isProtected: boolean): readonly string[] {
  if (mains.some(({ exitCode }) => exitCode !== 0))
    return ['a main has failed, so the pod fails however its sidecars end'];
  if (pod.restartPolicy === 'OnFailure')
    return ['a sidecar that ends with another code than 0 is started again by the kubelet'];
  return [
    `a sidecar that ends with another code than 0 fails the pod${isProtected ? ', and its Job runs the finished work again' : ''}`,
  ];
}
