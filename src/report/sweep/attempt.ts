import type { Attempt } from '../../events.ts';
import { describeStep } from '../../methods/index.ts';
import type { AttemptReport } from '../schema.ts';
import { iso } from '../times.ts';

/** A step that was taken, and its result. */
export function reportAttempt(
  { step, sentAt, duration, result, logs }: Attempt,
  container: string,
): AttemptReport {
  const log = logs?.get(container);
  return {
    method: step.method,
    does: describeStep(step),
    ...(step.method === 'Command' && { command: step.command }),
    source: step.source,
    ...(step.exitCode !== undefined && { expectedExitCode: step.exitCode }),
    sentAt: iso(sentAt),
    durationMs: Math.round(duration),
    result,
    ...(log && { log }),
  };
}
