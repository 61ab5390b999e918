import type { Step } from '../methods/index.ts';
import type { Candidate, Clearance, UncleanExit } from '../vocabulary.ts';
import type { PlannedStep } from './sweep-plan.ts';

/**
 * Whether ending a sidecar unclean would make finished work run again: all mains exited 0 and a Job owns the pod. Argo's own
 * pods need no protection, because Argo ignores the exit codes 137 and 143 of a sidecar.
 */
export function isProtected({ pod, mains }: Candidate): boolean {
  return pod.owner?.kind === 'Job' && mains.every(({ exitCode }) => exitCode === 0);
}

/** A step with what --unclean-exit says of it, before anything is known of its image. */
export function withClearance(step: Step, isProtected: boolean, mode: UncleanExit): PlannedStep {
  return { ...step, clearance: clearanceOf(step, isProtected, mode) };
}

/** Whether the plan expects a step to be sent. */
export function isCleared({ clearance }: PlannedStep): boolean {
  switch (clearance) {
    case 'Free':
    case 'Canary':
      return true;
    case 'KnownUnclean':
    case 'Forbidden':
      return false;
  }
}

function clearanceOf({ exitCode }: Step, isProtected: boolean, mode: UncleanExit): Clearance {
  if (!isProtected || exitCode === 0 || mode === 'allow') return 'Free';
  if (exitCode !== undefined) return 'KnownUnclean';
  return mode === 'forbid' ? 'Forbidden' : 'Canary';
}
