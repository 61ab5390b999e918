import type { Candidate, Prediction } from '../vocabulary.ts';
import { isCleared } from './clearance.ts';
import type { PlannedStep, Target } from './sweep-plan.ts';

/** What to expect of a pod if, for each of its sidecars, the first step that is not held works. */
export function predict(
  { pod, mains }: Candidate,
  targets: readonly Target[],
  lastResort: readonly PlannedStep[],
): Prediction {
  const inJob = pod.owner?.kind === 'Job';
  const ends = targets.map((target) => endOf(target, lastResort));
  if (ends.includes('StaysUp')) return { phase: 'Running', job: inJob ? 'StaysActive' : 'NoJob' };
  const unclean = ends.find((end) => typeof end === 'number' && end !== 0);
  const exitCode = typeof unclean === 'number' ? unclean : ends.every((end) => end === 0) ? 0 : undefined;
  const known = exitCode === undefined ? {} : { exitCode };
  if (unclean !== undefined && pod.restartPolicy === 'OnFailure') {
    // The kubelet restarts it.
    return { ...known, phase: 'Running', job: inJob ? 'StaysActive' : 'NoJob' };
  }
  if (unclean !== undefined || mains.some((main) => main.exitCode !== 0)) {
    return { ...known, phase: 'Failed', job: inJob ? 'RunsAgain' : 'NoJob' };
  }
  if (exitCode === 0) return { exitCode, phase: 'Succeeded', job: inJob ? 'Completes' : 'NoJob' };
  return { ...known, phase: 'Unknown', job: inJob ? 'Unknown' : 'NoJob' };
}

/** The exit code to expect of a sidecar, or that nothing will be sent to it. */
function endOf(target: Target, lastResort: readonly PlannedStep[]): number | 'Unknown' | 'StaysUp' {
  if (target.kind === 'Skipped') {
    return target.outcome.kind === 'AlreadyEnded' ? target.outcome.exitCode : 'StaysUp';
  }
  const first = [...target.steps, ...lastResort].find(isCleared);
  return first ? (first.exitCode ?? 'Unknown') : 'StaysUp';
}
