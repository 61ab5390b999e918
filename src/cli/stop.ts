import type { StopReason } from '../model/outcome.ts';
import type { Millis } from '../util/time.ts';
import type { Surroundings } from './surroundings.ts';

export interface Stop {
  /** Aborted with the StopReason. */
  readonly signal: AbortSignal;
  /** Aborted when what is under way has had its time after that: whoever still waits reports what is known. */
  readonly late: AbortSignal;
  /** Aborted when time is up: output that is not written by then is given up. Also after `clear`. */
  readonly over: AbortSignal;
  /** Stops the work. Only the first reason counts. */
  now(reason: StopReason): void;
  /** The work is done: the deadline stops it no more. */
  clearDeadline(): void;
  /** Lets go of the timers that keep the process alive. */
  clear(): void;
}

/** Requests in flight are cut after 2.5 s, the Lease is given back within 1 s, and the report follows within 5 s in all. */
const timeToEnd: Millis = 2_700;
/** What is left of them is for the process to end. */
const timeToWrite: Millis = 4_000;

/** Stops work early: at the deadline, on SIGTERM, SIGINT or SIGHUP, after an internal error, or when `now` is called. */
export function createStop(deadline: Millis | undefined, { onStop }: Pick<Surroundings, 'onStop'>): Stop {
  const stopping = new AbortController();
  const late = new AbortController();
  const over = new AbortController();
  let ending: NodeJS.Timeout | undefined;
  const now = (reason: StopReason) => {
    if (stopping.signal.aborted) return;
    ending = setTimeout(() => late.abort(), timeToEnd);
    setTimeout(() => over.abort(new Error('the sweep was stopped')), timeToWrite).unref();
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
    over: over.signal,
    now,
    clearDeadline,
    clear() {
      clearDeadline();
      clearTimeout(ending);
    },
  };
}
