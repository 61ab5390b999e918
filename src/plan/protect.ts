import type { Candidate, PodStep, Prediction, Target } from '../types.ts';

/**
 * Whether ending a sidecar unclean would make finished work run again: all mains exited 0 and a Job owns the pod. Argo's own
 * pods need no protection: Argo takes 137 and 143 of a sidecar for what they are.
 */
export function isProtected({ pod, mains }: Candidate): boolean {
  return pod.owner?.kind === 'Job' && mains.every(({ exitCode }) => exitCode === 0);
}

/** What is expected of a pod if the first step for each of its sidecars works. */
export function predict(
  candidate: Candidate,
  targets: readonly Target[],
  lastResort: readonly PodStep[],
): Prediction {
  const { pod, mains } = candidate;
  const mainsFailed = mains.some(({ exitCode }) => exitCode !== 0);
  const codes = targets.map((target) => exitCodeOf(target, lastResort));
  const unclean = codes.find((code) => code !== undefined && code !== 0);
  const exitCode = unclean ?? (codes.every((code) => code === 0) ? 0 : undefined);
  const inJob = pod.owner?.kind === 'Job';
  // Under OnFailure a sidecar that ends unclean is started again: the pod stays as it is.
  if (mainsFailed || (unclean !== undefined && pod.restartPolicy === 'Never')) {
    return {
      ...(exitCode !== undefined && { exitCode }),
      phase: 'Failed',
      job: inJob ? 'RunsAgain' : 'NoJob',
    };
  }
  if (exitCode === 0) return { exitCode, phase: 'Succeeded', job: inJob ? 'Completes' : 'NoJob' };
  return { ...(exitCode !== undefined && { exitCode }), phase: 'Unknown', job: inJob ? 'Unknown' : 'NoJob' };
}

function exitCodeOf(target: Target, lastResort: readonly PodStep[]): number | undefined {
  if (target.kind === 'Planned') return (target.steps[0] ?? lastResort[0])?.exitCode;
  return target.outcome.kind === 'AlreadyEnded' ? target.outcome.exitCode : undefined;
}
