import type { Millis, StopReason } from '../vocabulary.ts';
import type { Surroundings } from './surroundings.ts';

export interface Stop {
  /** Aborted with the StopReason. */
  readonly signal: AbortSignal;
  /** The first reason counts. */
  now(reason: StopReason): void;
  /** No deadline any more. */
  clear(): void;
}

/** What ends a sweep before it is through: its deadline, a signal to the process, or somebody who calls `now`. */
export function createStop(
  deadline: Millis | undefined,
  { onSignal }: Surroundings,
  onStop: (reason: StopReason) => void,
): Stop {
  const stopping = new AbortController();
  const now = (reason: StopReason) => {
    if (stopping.signal.aborted) return;
    stopping.abort(reason);
    onStop(reason);
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
