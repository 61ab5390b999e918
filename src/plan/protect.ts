import type { Candidate, Clearance, PodStep, Prediction, Step, Target, UncleanExit } from '../vocabulary.ts';

/**
 * Whether ending a sidecar unclean would make finished work run again: all mains exited 0 and a Job owns the pod. Argo's own
 * pods need no protection: Argo takes 137 and 143 of a sidecar for what they are.
 */
export function isProtected({ pod, mains }: Candidate): boolean {
  return pod.owner?.kind === 'Job' && mains.every(({ exitCode }) => exitCode === 0);
}

/** What --unclean-exit says of a step before anything is known of its image. */
export function clear(
  isProtected: boolean,
  { exitCode }: Pick<Step, 'exitCode'>,
  rule: UncleanExit,
): Clearance {
  if (!isProtected || exitCode === 0 || rule === 'allow') return 'Free';
  if (exitCode !== undefined) return 'KnownUnclean';
  return rule === 'forbid' ? 'Forbidden' : 'Canary';
}

/** What is expected of a pod if for each of its sidecars the first step works that is not held back. */
export function predict(
  candidate: Candidate,
  targets: readonly Target[],
  lastResort: readonly PodStep[],
  rule: UncleanExit,
): Prediction {
  const { pod, mains } = candidate;
  const inJob = pod.owner?.kind === 'Job';
  const maySend = (step: Step) => {
    const clearance = clear(isProtected(candidate), step, rule);
    return clearance === 'Free' || clearance === 'Canary';
  };
  const ends = targets.map((target) => endOf(target, lastResort, maySend));
  if (ends.includes('StaysUp')) return { phase: 'Running', job: inJob ? 'StaysActive' : 'NoJob' };
  const unclean = ends.find((end) => typeof end === 'number' && end !== 0);
  const exitCode = typeof unclean === 'number' ? unclean : ends.every((end) => end === 0) ? 0 : undefined;
  const known = exitCode === undefined ? {} : { exitCode };
  if (unclean !== undefined && pod.restartPolicy === 'OnFailure') {
    // The kubelet starts it again.
    return { ...known, phase: 'Running', job: inJob ? 'StaysActive' : 'NoJob' };
  }
  if (unclean !== undefined || mains.some((main) => main.exitCode !== 0)) {
    return { ...known, phase: 'Failed', job: inJob ? 'RunsAgain' : 'NoJob' };
  }
  if (exitCode === 0) return { exitCode, phase: 'Succeeded', job: inJob ? 'Completes' : 'NoJob' };
  return { ...known, phase: 'Unknown', job: inJob ? 'Unknown' : 'NoJob' };
}

/** The exit code that is expected of a sidecar, or that nothing will be sent to it. */
function endOf(
  target: Target,
  lastResort: readonly PodStep[],
  maySend: (step: Step) => boolean,
): number | 'Unknown' | 'StaysUp' {
  if (target.kind === 'Skipped') {
    return target.outcome.kind === 'AlreadyEnded' ? target.outcome.exitCode : 'StaysUp';
  }
  const first = [...target.steps, ...lastResort].find(maySend);
  return first ? (first.exitCode ?? 'Unknown') : 'StaysUp';
}
