import { endsPod, newImageOf } from '../methods/index.ts';
import { replacesPods } from '../model/job-reaction.ts';
import { jobOf } from '../model/pod.ts';
import type { JobFacts } from '../model/reading.ts';
import type { Prediction, UncleanCost } from '../model/step.ts';
import type { Candidate } from '../model/verdict.ts';
import { fits, type Stakes } from './blocked.ts';
import { firstStepFor, type PodPlan, type Target } from './sweep-plan.ts';
import { consequenceOf, failedOf, isJobLost, isRestarted } from './unclean-cost.ts';

type Steps = Pick<PodPlan, 'targets' | 'swap' | 'lastResort'>;

/** The expected end of a pod if, for each of its sidecars, the first step that is not blocked works. */
export function predict({ candidate, job }: Pick<Stakes, 'candidate' | 'job'>, steps: Steps): Prediction {
  const { pod, mains } = candidate;
  const inJob = jobOf(pod) !== undefined;
  const ends = steps.targets.map((target) => ({ container: target.container, end: endOf(target, steps) }));
  const withPod = steps.targets
    .map((target) => firstStepFor(target, steps))
    .some((first) => first && endsPod(first.method));
  if (!withPod && ends.some(({ end }) => end === 'StaysUp')) {
    return { phase: 'Running', job: inJob ? 'StaysActive' : 'NoJob' };
  }
  const unclean = ends.flatMap(({ container, end }) =>
    typeof end === 'number' && end !== 0 ? [{ container, exitCode: end, withPod }] : [],
  );
  const exitCode = unclean[0]?.exitCode ?? (ends.every(({ end }) => end === 0) ? 0 : undefined);
  const known = exitCode === undefined ? {} : { exitCode };
  const failed = failedOf(mains);
  const consequence = (): Prediction['job'] =>
    inJob ? predictedJob(consequenceOf(pod, job, [...failed, ...unclean]), job) : 'NoJob';
  if (unclean.some((end) => isRestarted(end, pod))) {
    return { ...known, phase: 'Running', job: consequence() };
  }
  if (unclean.length > 0 || failed.length > 0) return { ...known, phase: 'Failed', job: consequence() };
  if (exitCode === 0 && failsBySwaps(candidate, job, steps))
    return { exitCode, phase: 'Failed', job: 'Fails' };
  if (exitCode === 0) return { exitCode, phase: 'Succeeded', job: inJob ? afterSuccess(job) : 'NoJob' };
  return { ...known, phase: 'Unknown', job: inJob ? 'Unknown' : 'NoJob' };
}

/** Whether the Job counts more starts of no-op images than its backoffLimit allows: such swaps are only planned under allow. */
function failsBySwaps({ pod }: Candidate, job: JobFacts | undefined, steps: Steps): boolean {
  if (pod.restartPolicy !== 'OnFailure' || job?.kind !== 'Known' || !jobOf(pod)) return false;
  const firsts = steps.targets.map((target) => firstStepFor(target, steps));
  const swaps = firsts.filter((step) => step && newImageOf(step) !== undefined && !step.raisesLimit).length;
  return swaps > 0 && !fits(job.restartsAtWork + pod.restarts + swaps, job.job.backoffLimit);
}

/** What a Job does once all of its finished candidates have succeeded. */
function afterSuccess(facts: JobFacts | undefined): Prediction['job'] {
  if (facts?.kind !== 'Known' || facts.job.failed !== undefined || facts.job.otherController !== undefined) {
    return 'Unknown';
  }
  const { completions, succeededPods, hasSuccessPolicy, failedIndexes } = facts.job;
  // A work queue completes when none of its pods runs any more. A Job with a failed index fails once all others have ended.
  if (completions === undefined || failedIndexes.length > 0) return 'Unknown';
  if (succeededPods + facts.finished >= completions) return 'Completes';
  return hasSuccessPolicy ? 'Unknown' : 'StaysActive';
}

function predictedJob(cost: UncleanCost, facts: JobFacts | undefined): Prediction['job'] {
  switch (cost.kind) {
    // The Job is over or gone, or its podFailurePolicy ignores the failure.
    case 'Nothing':
      return 'Unknown';
    case 'Restart':
      return 'StaysActive';
    case 'AnotherRun':
      return facts?.kind !== 'Known' || replacesPods(facts.job) ? 'RunsAgain' : 'Unknown';
    case 'Index':
      return 'IndexFails';
    case 'Job':
      return isJobLost(cost) ? 'Fails' : 'Unknown';
  }
}

/** The exit code to expect of a sidecar, undefined if it may be any, or that nothing will be sent to it. */
function endOf(target: Target, steps: Steps): number | 'StaysUp' | undefined {
  if (target.kind === 'Skipped') {
    const { outcome } = target;
    if (outcome.kind === 'AlreadyEnded') return outcome.exitCode;
    const isReplaced = outcome.kind === 'StillRunning' && outcome.because.kind === 'SwapUnderWay';
    return isReplaced ? undefined : 'StaysUp';
  }
  const first = firstStepFor(target, steps);
  return first ? first.exitCode : 'StaysUp';
}
