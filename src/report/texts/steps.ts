import { imageSwap } from '../../methods/image-swap.ts';
import { endsPod } from '../../methods/index.ts';
import type { BlockedReason } from '../../model/outcome.ts';
import type { Prediction, StepSource, UncleanCost } from '../../model/step.ts';
import { isJobLost } from '../../plan/unclean-cost.ts';
import { sentences } from '../../util/text.ts';
import { formatDuration } from '../../util/time.ts';
import type { PlannedStepReport, PodReport } from '../schema.ts';
import { blockedBecause } from './reasons.ts';

/** A planned step in words, with its source, what it leads to, and how long the sweep waits for that. */
export function describePlannedStep(step: PlannedStepReport): string {
  const { does, source, graceMs, expectedExitCode, whyUnknown, blocked, raisesBackoffLimit } = step;
  const ends =
    expectedExitCode === undefined
      ? `exit code unknown${whyUnknown ? `: ${whyUnknown}` : ''}`
      : `ends with ${expectedExitCode}`;
  const price = takesLogs(step) ? "; the sidecar's own logs are then gone" : '';
  const why = `${describeSource(source)}; ${ends}${blocked ? `; blocked: ${blockedBecause(blocked)}` : ''}${raisesBackoffLimit ? raising : ''}${price}`;
  return `${does} (${why}), then wait up to ${formatDuration(graceMs)} for it to end`;
}

export function takesLogs({ method }: PlannedStepReport): boolean {
  return method === imageSwap.name;
}

const raising = '; the backoffLimit of its Job is raised first if the restart would exceed it';

const describeSource = sentences<StepSource>({
  Annotation: (source) => `its annotation ${source.key}`,
  Profile: (source) => `profile ${source.profile}`,
  Default: 'tried on any sidecar',
  Swap: 'image swap allowed',
  LastResort: 'last resort',
});

export function describePrediction({ exitCode, phase, job }: Prediction): string {
  const sidecars = exitCode === undefined ? 'exit code unknown' : `exit code ${exitCode}`;
  const pod = phase === 'Unknown' ? 'phase unknown' : `pod ${phase}`;
  return [
    ...(phase === 'Running' ? [] : [sidecars]),
    pod,
    ...(job === 'NoJob' ? [] : [expectedJobs[job]]),
  ].join(', ');
}

export const expectedJobs: Readonly<Record<Exclude<Prediction['job'], 'NoJob'>, string>> = {
  Completes: 'Job Complete',
  RunsAgain: 'Job runs again',
  IndexFails: 'index fails',
  Fails: 'Job Failed',
  StaysActive: 'Job active',
  Unknown: 'Job unknown',
};

/** The consequence of an unclean end for the owner of a pod, appended to a sentence about the pod. */
export const describeCost = sentences<UncleanCost>({
  Nothing: '',
  Restart: ', and its Job counts the restart',
  AnotherRun: ', and its Job runs the finished work again',
  Index: ', and its index fails for good',
  Job: (cost) => costsJob[cost.because],
});

const costsJob: Record<Extract<UncleanCost, { readonly kind: 'Job' }>['because'], string> = {
  NoRetriesLeft: ', and its Job fails for good, because it has no retries left',
  FailurePolicy: ', and its Job fails for good, because its podFailurePolicy says so',
  JobUnreadable: ', and its Job may fail for good: it or its pods cannot be read',
  ArgoWorkflow:
    ', and its workflow step fails, unless the pod has the container wait or supervisor and the code is 137 or 143',
  OtherOwner: ', and its owner may fail for good',
  Platform: ', and the platform that created it may count the work as failed, or run it again',
};

type AtStake = Pick<PodReport, 'restartPolicy' | 'uncleanCost'>;
type Ending = Pick<PlannedStepReport, 'method' | 'expectedExitCode'>;

/** Where the kubelet restarts a sidecar, the cost is that of a restart, which a step for the whole pod does not cause. */
function isCostUnknown({ restartPolicy, uncleanCost }: AtStake, { method }: Ending): boolean {
  return (restartPolicy === 'OnFailure' || uncleanCost.kind === 'Restart') && endsPod(method);
}

/** What follows if a step makes a sidecar exit with a code other than 0. */
export function afterUncleanEnd(pod: AtStake, step: Ending): string {
  return isCostUnknown(pod, step) ? 'the pod fails' : describeUncleanEnd(pod);
}

/** A container may have a policy of its own, but a Job counts restarts only under OnFailure. */
export function describeUncleanEnd({ restartPolicy, uncleanCost }: AtStake): string {
  if (restartPolicy === 'OnFailure') return `the kubelet restarts it${describeCost(uncleanCost)}`;
  return uncleanCost.kind === 'Restart'
    ? 'the kubelet restarts it'
    : `the pod fails${describeCost(uncleanCost)}`;
}

/** The reason that a step is blocked, with its exit code and the consequence as far as they are known. */
export function whyBlocked(reason: BlockedReason, pod: AtStake, step: Ending | undefined): string {
  const { uncleanCost: cost } = pod;
  const isAssumed = cost.kind === 'Nothing' || (cost.kind === 'Job' && !isJobLost(cost));
  const follows =
    isAssumed || (step && isCostUnknown(pod, step))
      ? 'make finished work run again or fail'
      : cost.kind === 'Restart' && pod.restartPolicy !== 'OnFailure'
        ? 'only restart it'
        : blockedCosts[cost.kind];
  if (reason === 'KnownUnclean')
    return `it exits with ${step?.expectedExitCode ?? 'a non-zero code'}, which would ${follows}`;
  if (reason === 'UnknownEnd') return `its exit code is unknown, and any other than 0 would ${follows}`;
  return blockedBecause(reason);
}

const blockedCosts: Record<Exclude<UncleanCost['kind'], 'Nothing'>, string> = {
  Restart: 'count as a restart in its Job',
  AnotherRun: 'run its finished Job again',
  Index: 'fail its index for good',
  Job: 'fail its Job for good',
};
