import { systemClock } from '../../clock.ts';
import type { Emit } from '../../events.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Problem } from '../../vocabulary/problem.ts';
import type { RunInfo } from '../../vocabulary/run-info.ts';

/** A sweep that lists nothing, because of a problem. */
export function standAside(run: RunInfo, policy: Policy, problem: Problem, emit: Emit): void {
  emit({ kind: 'SweepStarted', at: systemClock.now(), run, policy });
  emit({ kind: 'ReadFailed', namespace: undefined, problem });
  emit({ kind: 'SweepFinished', at: systemClock.now() });
}
