import { describeStep } from '../../methods/index.ts';
import { jobOf, type PodView } from '../../model/pod.ts';
import type { Warning } from '../../model/warning.ts';
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
  attempt: Attempt,
  container: string,
  raised: Raised | undefined,
  begun: Millis,
): AttemptReport {
  const { step, sentAt, duration, result, logs } = attempt;
  return {
    method: step.method,
    does: `${describeStep(step)}${aboutRoom(attempt, raised)}`,
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

/** One swap may be the reason to raise the limit, and the next one of the same Job then has room as well. */
function aboutRoom({ step, result }: Attempt, raised: Raised | undefined): string {
  if (!raised || !step.raisesLimit || result.kind === 'Blocked') return '';
  return `, with the backoffLimit of its Job raised from ${raised.from} to ${raised.to}`;
}

/** The backoffLimit of a Job before and after this sweep raised it. */
export interface Raised {
  readonly from: number;
  readonly to: number;
}

/** Which Jobs' backoffLimits this sweep has raised, by its own warnings. */
export class Raises {
  readonly #byJob = new Map<string, Raised>();

  hear(warning: Warning): void {
    if (warning.kind !== 'BackoffLimitRaised') return;
    const { namespace, job, from, to } = warning;
    const key = `${namespace}/${job}`;
    // It may be raised more than once.
    this.#byJob.set(key, { from: this.#byJob.get(key)?.from ?? from, to });
  }

  /** What was raised for the Job of a pod. */
  of(pod: PodView): Raised | undefined {
    const job = jobOf(pod);
    return job && this.#byJob.get(`${pod.ref.namespace}/${job.name}`);
  }
}
