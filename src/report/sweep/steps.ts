import { describeStep } from '../../methods/index.ts';
import type { Attempt } from '../../plan/sweep-event.ts';
import type { PlannedStep } from '../../plan/sweep-plan.ts';
import type { Millis } from '../../util/time.ts';
import { iso } from '../format.ts';
import type { AttemptReport, PlannedStepReport } from '../schema.ts';

export function reportStep(step: PlannedStep): PlannedStepReport {
  const { method, source, grace, exitCode, whyUnknown, blocked, raisesLimit } = step;
  return {
    method,
    does: describeStep(step),
    source,
    graceMs: grace,
    expectedExitCode: exitCode,
    whyUnknown,
    blocked,
    raisesBackoffLimit: raisesLimit,
  };
}

export function reportAttempt(
  { step, sentAt, duration, result, logs }: Attempt,
  container: string,
  begun: Millis,
): AttemptReport {
  return {
    method: step.method,
    does: describeStep(step),
    command: step.method === 'Command' ? step.command : undefined,
    source: step.source,
    expectedExitCode: step.exitCode,
    whyUnknown: step.whyUnknown,
    // All that was held in a run is alike.
    sentAt: iso(result.kind === 'Blocked' ? begun : sentAt),
    durationMs: Math.round(duration),
    result,
    log: logs?.get(container),
  };
}
