import { newImageOf, type Step } from '../methods/index.ts';
import type { JobFacts } from '../vocabulary/facts.ts';
import type { Clearance, UncleanCost, UncleanExit } from '../vocabulary/unclean-exit.ts';
import type { Candidate } from '../vocabulary/verdict.ts';
import { costOf, worst } from './cost.ts';
import type { PlannedStep } from './sweep-plan.ts';

/** What clearances depend on besides the step. */
export interface Stakes {
  readonly candidate: Candidate;
  readonly job: JobFacts | undefined;
  readonly mode: UncleanExit;
}

/** A step for these containers with what --unclean-exit says of it, before anything is known of how they end. */
export function withClearance(step: Step, containers: readonly string[], stakes: Stakes): PlannedStep {
  return { ...step, clearance: clearanceOf(step, containers, stakes) };
}

/** Whether the plan expects a step to be sent. */
export function isCleared({ clearance }: PlannedStep): boolean {
  switch (clearance) {
    case 'Free':
    case 'Canary':
    case 'Follower':
      return true;
    case 'KnownUnclean':
    case 'Forbidden':
      return false;
  }
}

/** What it costs if one of these containers ends with this code, or any code but 0. */
export function worstCost(
  containers: readonly string[],
  exitCode: number | undefined,
  { candidate, job }: Pick<Stakes, 'candidate' | 'job'>,
): UncleanCost {
  return worst(containers.map((container) => costOf(candidate, job, { container, exitCode })));
}

function clearanceOf(step: Step, containers: readonly string[], stakes: Stakes): Clearance {
  const { exitCode } = step;
  if (exitCode === 0 || stakes.mode === 'allow' || isArgosOwn(step, stakes)) return 'Free';
  const cost = worstCost(containers, exitCode, stakes);
  if (cost.kind === 'Nothing') return 'Free';
  if (exitCode !== undefined) return 'KnownUnclean';
  if (stakes.mode === 'forbid') return 'Forbidden';
  return cost.kind === 'Index' || cost.kind === 'Job' || failsAgain(step, stakes) ? 'Follower' : 'Canary';
}

/**
 * Under OnFailure, a no-op image that lacks the program is started again and again until the Job fails (recorded:
 * image-swap-start-error-onfailure).
 */
function failsAgain(step: Step, { candidate }: Stakes): boolean {
  return newImageOf(step) !== undefined && candidate.pod.restartPolicy === 'OnFailure';
}

/** Argo Workflows itself ends its sidecars with the commands in its own annotations: that is what the workflow's owner asked for. */
function isArgosOwn({ source }: Step, { candidate }: Stakes): boolean {
  return (
    candidate.pod.argo !== undefined &&
    source.kind === 'Annotation' &&
    source.key.startsWith('workflows.argoproj.io/')
  );
}
