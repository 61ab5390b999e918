import * as z from 'zod';
import type { Candidate, PodPlan, Step, Target, Unfit } from '../types.ts';
import type { Value } from './schema.ts';
import { describeContainer } from './texts/outcomes.ts';
import { describePrediction, describeSource, describeStep } from './texts/steps.ts';

const explainedStep = z.object({
  does: z.string(),
  because: z.string().describe('who says that it is a way to end the sidecar'),
  waitsMs: z.int().describe('for the sidecar to end, at most'),
  exitCode: z.int().optional().describe('that the sidecar is expected to end with; missing: not known'),
});

export const explainedPlan = z
  .object({
    targets: z.array(
      z.object({
        container: z.string(),
        steps: z.array(explainedStep),
        skipped: z.string().optional().describe('why nothing would be sent'),
      }),
    ),
    lastResort: z.array(explainedStep).describe('for the whole pod, if a sidecar outlives its own steps'),
    unfit: z
      .array(z.object({ container: z.string(), step: z.string() }))
      .describe('steps that the pod shows cannot work'),
    expected: z.array(z.string()).describe('what follows from how a sidecar ends'),
  })
  .describe('what a sweep would do now');

export type ExplainedPlan = Value<typeof explainedPlan>;
export type ExplainedStep = Value<typeof explainedStep>;

/** What a sweep would do about a candidate, and what would come of it. */
export function reportPlan(plan: PodPlan): ExplainedPlan {
  const { candidate, targets, lastResort, isProtected, prediction } = plan;
  return {
    targets: targets.map(reportTarget),
    lastResort: lastResort.map(reportStep),
    unfit: targets.flatMap((target) => (target.kind === 'Planned' ? reportUnfit(target) : [])),
    expected: [describePrediction(prediction), ...ifUnclean(candidate, isProtected)],
  };
}

function reportTarget(target: Target): ExplainedPlan['targets'][number] {
  const { container } = target;
  if (target.kind === 'Skipped') return { container, steps: [], skipped: describeContainer(target.outcome) };
  return { container, steps: target.steps.map(reportStep) };
}

function reportStep(step: Step): ExplainedStep {
  const { source, grace, exitCode } = step;
  return {
    does: describeStep(step),
    because: describeSource(source),
    waitsMs: grace,
    ...(exitCode !== undefined && { exitCode }),
  };
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
  return isProtected
    ? [
        'a sidecar that ends with another code than 0 fails the pod, and its Job runs the finished work again: such steps are tried on one pod first',
      ]
    : ['a sidecar that ends with another code than 0 fails the pod'];
}
