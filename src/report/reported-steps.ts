import { clear } from '../plan/protect.ts';
import type { Attempt, Step, UncleanExit } from '../vocabulary.ts';
import type { AttemptReport, PlannedStep } from './schema.ts';
import { describeStep } from './texts/steps.ts';

/** A step of the plan, with what --unclean-exit says of it. */
export function reportStep(step: Step, isProtected: boolean, rule: UncleanExit): PlannedStep {
  const { method, source, grace, exitCode } = step;
  return {
    method,
    does: describeStep(step),
    source,
    graceMs: grace,
    ...(exitCode !== undefined && { expectedExitCode: exitCode }),
    clearance: clear(isProtected, step, rule),
  };
}

/** A step that was taken, and what came back. */
export function reportAttempt({ step, sentAt, duration, result }: Attempt): AttemptReport {
  return {
    method: step.method,
    does: describeStep(step),
    ...('command' in step && { command: step.command }),
    source: step.source,
    ...(step.exitCode !== undefined && { expectedExitCode: step.exitCode }),
    sentAt: new Date(sentAt).toISOString(),
    durationMs: Math.round(duration),
    result,
  };
}
