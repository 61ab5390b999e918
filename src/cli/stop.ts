import type { Millis } from '../duration.ts';
import type { StopReason } from '../vocabulary.ts';
import type { Surroundings } from './surroundings.ts';

export interface Stop {
  /** Aborted with the StopReason. */
  readonly signal: AbortSignal;
  /** Stops the work. Only the first reason counts. */
  now(reason: StopReason): void;
  /** Cancels the deadline. */
  clear(): void;
}

/** Stops work early: at the deadline, on SIGTERM or SIGINT, or when `now` is called. */
export function createStop(deadline: Millis | undefined, { onSignal }: Pick<Surroundings, 'onSignal'>): Stop {
  const stopping = new AbortController();
  const now = (reason: StopReason) => {
    if (!stopping.signal.aborted) stopping.abort(reason);
  };
  const timer = deadline && setTimeout(() => now('Deadline'), deadline);
  onSignal(() => now('Signal'));
  return {
    signal: stopping.signal,
    now,
    clear: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
