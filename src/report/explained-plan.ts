import { z } from 'zod';
import type { Candidate, PodPlan, Step, Target } from '../types.ts';
import type { Value } from './schema.ts';
import { describeContainer } from './texts.ts';

export const explainedPlan = z
  .object({
    targets: z.array(
      z.object({
        container: z.string(),
        steps: z.array(
          z.object({ does: z.string(), waitsMs: z.int().describe('for the sidecar to end, at most') }),
        ),
        skipped: z.string().optional().describe('why nothing would be sent'),
      }),
    ),
    expected: z.array(z.string()).describe('what follows from how a sidecar ends'),
  })
  .describe('what a sweep would do now');

export type ExplainedPlan = Value<typeof explainedPlan>;

/** What a sweep would do about a candidate, and what would come of it. */
export function reportPlan({ candidate, targets }: PodPlan): ExplainedPlan {
  return { targets: targets.map(reportTarget), expected: expectations(candidate) };
}

function reportTarget(target: Target): ExplainedPlan['targets'][number] {
  const { container } = target;
  if (target.kind === 'Skipped') return { container, steps: [], skipped: describeContainer(target.outcome) };
  return {
    container,
    steps: target.steps.map((step) => ({ does: describeStep(step), waitsMs: step.grace })),
  };
}

function describeStep({ command, source }: Step): string {
  return `runs ${JSON.stringify(command)}${source === 'Annotation' ? ", its owner's command," : ''} in the container`;
}

/** The kubelet and the Job decide by exit codes: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/ */
function expectations({ pod, mains }: Candidate): readonly string[] {
  const hasFailed = mains.some(({ exitCode }) => exitCode !== 0);
  const job = pod.owner?.kind === 'Job' ? ' and its Job counts it' : '';
  if (hasFailed) return [`the pod ends as Failed${job}, because a main of it has failed`];
  const clean = `a sidecar that ends with 0 lets the pod succeed${job}`;
  if (pod.restartPolicy === 'OnFailure') {
    return [clean, 'one that ends with another code is started again by the kubelet'];
  }
  const again = pod.owner?.kind === 'Job' ? ', and its Job runs the finished work again' : '';
  return [clean, `one that ends with another code fails the pod${again}`];
}
