import type { Emit, SweepEvent } from '../../plan/sweep-event.ts';

export interface OnceListed {
  /** Passes events on as they happen. */
  readonly emit: Emit;
  /** Passes events on once something has been listed. */
  readonly later: Emit;
}

/** If listing fails, only that is reported: later warnings share its cause. */
export function onceListed(emit: Emit): OnceListed {
  let waiting: SweepEvent[] | undefined = [];
  return {
    emit(event) {
      emit(event);
      if (event.kind !== 'PageListed' || !waiting) return;
      const events = waiting;
      waiting = undefined;
      for (const each of events) emit(each);
    },
    later(event) {
      if (waiting) waiting.push(event);
      else emit(event);
    },
  };
}
