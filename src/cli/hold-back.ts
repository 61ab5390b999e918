import type { Emit } from '../ports.ts';
import type { SweepEvent } from '../vocabulary.ts';

export interface HeldBack {
  /** What happens, as it happens. */
  readonly emit: Emit;
  /** What is told only once something was listed. */
  readonly later: Emit;
}

/** Of a cluster that cannot even be listed, that is all there is to tell: what else does not work has the same cause. */
export function holdBack(emit: Emit): HeldBack {
  let held: SweepEvent[] | undefined = [];
  return {
    emit(event) {
      emit(event);
      if (event.kind !== 'PageListed' || !held) return;
      const events = held;
      held = undefined;
      for (const each of events) emit(each);
    },
    later(event) {
      if (held) held.push(event);
      else emit(event);
    },
  };
}
