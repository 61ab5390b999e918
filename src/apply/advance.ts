import type { Attempt, ContainerStep, Next, Observation } from '../vocabulary.ts';

/**
 * What comes next for a target: a pure function of its steps, what was sent so far and what the pod shows.
 * A step that cannot have worked is followed at once by the next; one that may have, only when its grace is over, which
 * is the caller's to wait.
 */
export function advance(
  steps: readonly ContainerStep[],
  attempts: readonly Attempt[],
  observation: Observation,
): Next {
  if (observation.kind !== 'Running') return { kind: 'Done' };
  const step = steps[attempts.length];
  return step ? { kind: 'Send', step } : { kind: 'Done' };
}

/** Whether the effect of an attempt is worth waiting for. */
export function mayHaveWorked(attempt: Attempt): boolean {
  switch (attempt.result.kind) {
    case 'Accepted':
    case 'Unconfirmed':
      return true;
    case 'Refused':
    case 'NoSuchProgram':
    case 'Unsupported':
    case 'Immune':
    case 'Held':
    case 'Busy':
    case 'Undelivered':
      return false;
  }
}
