import { newImageOf } from '../../methods/index.ts';
import type { ContainerView } from '../../model/pod.ts';
import type { PlannedStep, PodPlan } from '../../plan/sweep-plan.ts';
import type { Millis } from '../../util/time.ts';

/**
 * How many restarts a step may add to those that its Job counts under OnFailure. A sidecar that ends with 0 by itself adds none,
 * unless it has not before in this very pod; a swapped image starts once more, and that is a restart.
 */
export function spendOf({ candidate, uncleanCost }: PodPlan, step: PlannedStep, sidecars: number): number {
  if (uncleanCost.kind === 'Nothing' || candidate.pod.restartPolicy !== 'OnFailure') return 0;
  const { mainsEndedAt } = candidate;
  const wasUnclean = candidate.sidecars.some(({ container }) => hasEndedUnclean(container, mainsEndedAt));
  return wasUnclean || newImageOf(step) !== undefined ? sidecars : 0;
}

/** Whether a sidecar ended with another code than 0 after the mains had ended, as its pod still shows. */
function hasEndedUnclean(container: ContainerView, mainsEndedAt: Millis): boolean {
  return endsOf(container).some(({ exitCode, at }) => exitCode !== 0 && at >= mainsEndedAt);
}

function endsOf({ state, restartCount, lastExitCode = 0, lastFinishedAt = 0 }: ContainerView) {
  const last = restartCount > 0 ? [{ exitCode: lastExitCode, at: lastFinishedAt }] : [];
  if (state.kind !== 'Terminated') return last;
  return [...last, { exitCode: state.exitCode, at: state.finishedAt ?? 0 }];
}
