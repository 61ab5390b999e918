import { mayHaveWorked } from '../methods/attempt.ts';
import { newImageOf } from '../methods/index.ts';
import type { AttemptResult } from '../model/outcome.ts';
import type { Observation } from '../model/reading.ts';
import type { Millis } from '../util/time.ts';
import type { Attempt } from './sweep-event.ts';

/**
 * How far the status of a container may lag behind its end. When 100 containers ended on one node of Kubernetes 1.36 within
 * 7 s, the kubelet reported it 6 to 10 s later; this is twice as long.
 */
const statusLag: Millis = 20_000;

/** How long to wait for the pod to show that an attempt has worked, or that the container had ended before it. */
export function timeToShow(attempt: Attempt): Millis {
  const { step, result } = attempt;
  const mayLag = result.kind === 'Unconfirmed' || result.kind === 'NotThere';
  return (mayHaveWorked(attempt) ? step.grace : 0) + (mayLag ? statusLag : 0);
}

/** Until then, a container that is shown as running may have ended by its last step, unless it has answered since. */
export function timeOfProof(attempts: readonly Attempt[]): Millis {
  return attempts.reduce((until, attempt) => {
    const { step, sentAt, duration, result } = attempt;
    if (mayHaveWorked(attempt)) return sentAt + duration + step.grace + statusLag;
    return result.kind === 'NoSuchProgram' || result.kind === 'Immune' ? Number.NEGATIVE_INFINITY : until;
  }, Number.NEGATIVE_INFINITY);
}

/**
 * Whether something that was sent may have ended it. A swap ends a container for the no-op image, also if the kubelet then cannot
 * start that; whether it was the swap that ended it with 0 is unknown, and makes no difference.
 */
export function mayHaveEnded(
  attempts: readonly Attempt[],
  { swapped, unstarted }: Pick<Extract<Observation, { kind: 'Exited' }>, 'swapped' | 'unstarted'>,
): boolean {
  const bySwap = swapped || unstarted;
  return attempts.some(
    (attempt) => mayHaveWorked(attempt) && (bySwap || newImageOf(attempt.step) === undefined),
  );
}

/** Whether the wait for the last one was cut while it may still work. */
export function isUnderWay(attempts: readonly Attempt[]): boolean {
  return attempts.at(-1)?.due !== undefined;
}

/** The state of a container whose status is still running, by the answers so far. */
type Standing =
  /** It has outlived every step, or the step cannot work there: only now may a harsher step follow. */
  | { readonly kind: 'Answered' }
  /** The last step did not arrive. */
  | { readonly kind: 'NotReached' }
  /** Its status may lag. */
  | { readonly kind: 'MayHaveEnded'; readonly message: string };

export function standingOf(attempts: readonly Attempt[]): Standing {
  return attempts.reduce<Standing>(standingAfter, { kind: 'Answered' });
}

function standingAfter(before: Standing, { result }: Attempt): Standing {
  if (isNotUpgraded(result)) return before.kind === 'MayHaveEnded' ? before : { kind: 'Answered' };
  switch (result.kind) {
    // The container itself has answered, so it was running.
    case 'Accepted':
    case 'Failed':
    case 'NoSuchProgram':
    case 'Immune':
      return { kind: 'Answered' };
    case 'Unconfirmed':
    case 'NotThere':
      return { kind: 'MayHaveEnded', message: result.message };
    // These say nothing of the container: the port of one that has ended is closed as well.
    case 'Refused':
    case 'Unsupported':
    case 'Blocked':
      return before.kind === 'MayHaveEnded' ? before : { kind: 'Answered' };
    case 'Busy':
    case 'Undelivered':
      return before.kind === 'MayHaveEnded' ? before : { kind: 'NotReached' };
  }
}

/** Whether every try was refused the upgrade of its connection: nothing was sent, and this step cannot work here. */
export function isNotUpgraded(result: AttemptResult): boolean {
  return result.kind === 'Undelivered' && result.noUpgrade === true;
}
