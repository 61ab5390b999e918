import type { Millis } from '../duration.ts';
import type { StopReason } from '../vocabulary.ts';
import type { Surroundings } from './surroundings.ts';

export interface Stop {
  /** Aborted with the StopReason. */
  readonly signal: AbortSignal;
  /** Aborted when what is under way has had its time after that: whoever still waits reports what is known. */
  readonly late: AbortSignal;
  /** Stops the work. Only the first reason counts. */
  now(reason: StopReason): void;
  /** The work is done: the deadline stops it no more. */
  clearDeadline(): void;
  /** Lets go of all timers. */
  clear(): void;
}

/** Requests in flight are cut after 2.5 s, the Lease is given back within 1 s, and the report follows within 5 s in all. */
const timeToEnd: Millis = 2_700;

/** Stops work early: at the deadline, on SIGTERM, SIGINT or SIGHUP, after an internal error, or when `now` is called. */
export function createStop(deadline: Millis | undefined, { onStop }: Pick<Surroundings, 'onStop'>): Stop {
  const stopping = new AbortController();
  const late = new AbortController();
  let ending: NodeJS.Timeout | undefined;
  const now = (reason: StopReason) => {
    if (stopping.signal.aborted) return;
    ending = setTimeout(() => late.abort(), timeToEnd);
    stopping.abort(reason);
  };
  const timer = deadline && setTimeout(() => now('Deadline'), deadline);
  const clearDeadline = () => {
    if (timer) clearTimeout(timer);
  };
  onStop(now);
  return {
    signal: stopping.signal,
    late: late.signal,
    now,
    clearDeadline,
    clear() {
      clearDeadline();
      clearTimeout(ending);
    },
  };
}
