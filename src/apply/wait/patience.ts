import type { Millis } from '../../duration.ts';
import type { ApplyContext } from '../context.ts';
import type { Taken } from '../taken.ts';
import { backOff } from './back-off.ts';

/** A server that asks for more patience than this is asked again anyway. */
const longestRetryAfter: Millis = 30_000;
/** Even if the time of a step is shorter than the pauses between these. */
const leastTries = 5;

/**
 * Sends, and again while it does not arrive and the time of the step lasts. A failed request never leads to a harsher step, so it
 * has to be worth trying again. Nobody occupies a slot during the pauses.
 */
export async function patiently(
  send: () => Promise<Taken>,
  time: Millis,
  { clock, random, stop }: Pick<ApplyContext, 'clock' | 'random' | 'stop'>,
): Promise<Taken> {
  const end = clock.now() + time;
  for (let tries = 1; ; tries++) {
    const sent = await send();
    if (stop.aborted || !hasMissed(sent)) return sent;
    const pause = retryAfter(sent) + backOff(tries, random);
    if (tries >= leastTries && clock.now() + pause > end) return sent;
    await clock.sleep(pause, stop);
  }
}

/** Whether a step is known not to have arrived. */
export function hasMissed(taken: Taken): boolean {
  if (taken.kind !== 'Attempted') return false;
  const { result } = taken.attempt;
  return result.kind === 'Busy' || result.kind === 'Undelivered';
}

function retryAfter(taken: Taken): Millis {
  const result = taken.kind === 'Attempted' ? taken.attempt.result : undefined;
  return result?.kind === 'Busy' ? Math.min(result.retryAfterMs ?? 0, longestRetryAfter) : 0;
}
