import { describeStep } from '../../methods/index.ts';
import type { Attempt } from '../../plan/sweep-event.ts';
import { iso } from '../format.ts';
import type { AttemptReport } from '../schema.ts';
import type { Raised } from './raises.ts';

/** A step that was taken, and its result. */
export function reportAttempt(
  attempt: Attempt,
  container: string,
  raised: Raised | undefined,
): AttemptReport {
  const { step, sentAt, duration, result, logs } = attempt;
  const log = logs?.get(container);
  return {
    method: step.method,
    does: `${describeStep(step)}${aboutRoom(attempt, raised)}`,
    ...(step.method === 'Command' && { command: step.command }),
    source: step.source,
    ...(step.exitCode !== undefined && { expectedExitCode: step.exitCode }),
    sentAt: iso(sentAt),
    durationMs: Math.round(duration),
    result,
    ...(log && { log }),
  };
}

/** One swap may be the reason to raise the limit, and the next one of the same Job then has room as well. */
function aboutRoom({ step, result }: Attempt, raised: Raised | undefined): string {
  if (!raised || !step.raisesLimit || result.kind === 'Blocked') return '';
  return `, with the backoffLimit of its Job raised from ${raised.from} to ${raised.to}`;
}
