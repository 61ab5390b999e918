import { Retries } from '../../util/retry.ts';
import type { Millis } from '../../util/time.ts';
import { isNotUpgraded } from '../attempts.ts';
import type { ApplyContext } from '../context.ts';
import { sentAgain, type Taken } from '../taken.ts';

const endurance = { firstPause: 1_000, leastTries: 5, mostTries: Number.POSITIVE_INFINITY } as const;

/**
 * Sends, and again while it does not arrive and the time of the step lasts. A failed request never leads to a harsher step, so it
 * has to be worth trying again. Nobody occupies a slot during the pauses.
 */
export async function patiently(
  send: () => Promise<Taken>,
  time: Millis,
  { clock, random, stop }: Pick<ApplyContext, 'clock' | 'random' | 'stop'>,
): Promise<Taken> {
  const patience = new Retries({ ...endurance, time }, { clock, random });
  let sent = await send();
  while (hasMissed(sent) && (await patience.again(stop, retryAfter(sent)))) {
    const again = await send();
    // It was attempted before, and the report is to tell how that went.
    if (isGivenUp(again)) return sent;
    if (again.kind === 'Overtaken' && sent.kind === 'Attempted') return sentAgain(sent, again);
    sent = afterAnother(sent, again);
  }
  return sent;
}

/** That nobody upgrades connections here is known only if every try was refused it. */
function afterAnother(before: Taken, again: Taken): Taken {
  if (again.kind !== 'Attempted' || again.attempt.result.kind !== 'Undelivered') return again;
  if (before.kind === 'Attempted' && isNotUpgraded(before.attempt.result)) return again;
  const { noUpgrade: _, ...result } = again.attempt.result;
  return { ...again, attempt: { ...again.attempt, result } };
}

function isGivenUp(taken: Taken): boolean {
  return (
    taken.kind === 'Withheld' &&
    taken.outcome.kind === 'NotAttempted' &&
    taken.outcome.reason === 'NodeUnreachable'
  );
}

/** Whether a step is known not to have arrived. */
export function hasMissed(taken: Taken): boolean {
  if (taken.kind !== 'Attempted') return false;
  const { result } = taken.attempt;
  return result.kind === 'Busy' || result.kind === 'Undelivered';
}

function retryAfter(taken: Taken): Millis | undefined {
  const result = taken.kind === 'Attempted' ? taken.attempt.result : undefined;
  return result?.kind === 'Busy' ? result.retryAfterMs : undefined;
}
