import { describeStep } from '../../methods/index.ts';
import type { Attempt } from '../../plan/sweep-event.ts';
import type { PlannedStep } from '../../plan/sweep-plan.ts';
import type { Millis } from '../../util/time.ts';
import { iso } from '../format.ts';
import type { AttemptReport, PlannedStepReport } from '../schema.ts';

export function reportStep(step: PlannedStep): PlannedStepReport {
  const { grace, blocked, raisesLimit } = step;
  return { ...common(step), graceMs: grace, blocked, raisesBackoffLimit: raisesLimit };
}

export function reportAttempt(
  { step, sentAt, duration, result, logs }: Attempt,
  container: string,
  begun: Millis,
): AttemptReport {
  return {
    ...common(step),
    command: step.method === 'Command' ? step.command : undefined,
    // All that was held in a run is alike.
    sentAt: iso(result.kind === 'Blocked' ? begun : sentAt),
    durationMs: Math.round(duration),
    result,
    log: logs?.get(container),
  };
}

function common(step: PlannedStep) {
  const { method, source, exitCode, whyUnknown } = step;
  return { method, does: describeStep(step), source, expectedExitCode: exitCode, whyUnknown };
}
