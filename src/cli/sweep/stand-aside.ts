import type { Problem } from '../../model/reading.ts';
import type { RunInfo } from '../../model/scope.ts';
import type { Emit } from '../../plan/sweep-event.ts';
import type { Policy } from '../../policy/policy.ts';
import { systemClock } from '../../util/time.ts';

/** A sweep that lists nothing, because of a problem. */
export function standAside(run: RunInfo, policy: Policy, problem: Problem, emit: Emit): void {
  emit({ kind: 'SweepStarted', at: systemClock.now(), run, policy });
  emit({ kind: 'ReadFailed', namespace: undefined, problem });
  emit({ kind: 'SweepFinished', at: systemClock.now() });
}
