import type { Attempt, Next, Observation, PlannedTarget } from '../types.ts';

/**
 * What comes next for a target: a pure function of its steps, what was sent so far and what the pod shows.
 * An accepted step is followed by the next one only when its grace is over, which is the caller's to wait.
 */
export function advance(target: PlannedTarget, attempts: readonly Attempt[], observation: Observation): Next {
  if (observation.kind !== 'Running') return { kind: 'Done' };
  const last = attempts.at(-1);
  if (last && !mayHaveWorked(last)) return { kind: 'Done' };
  const step = target.steps[attempts.length];
  return step ? { kind: 'Send', step } : { kind: 'Done' };
}

/** Whether the effect of an attempt is worth waiting for. If not, the same way will not work with KILL either. */
export function mayHaveWorked(attempt: Attempt): boolean {
  switch (attempt.result.kind) {
    case 'Accepted':
    case 'Unconfirmed':
      return true;
    case 'Refused':
    case 'NoSuchProgram':
    case 'Undelivered':
      return false;
  }
}
