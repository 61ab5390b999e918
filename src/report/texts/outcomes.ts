import type { Harm, HarmKind, JobReaction } from '../../model/job.ts';
import type {
  CapReason,
  ContainerOutcome,
  NotAttemptedReason,
  PodOutcome,
  StillRunningBecause,
  StopReason,
} from '../../model/outcome.ts';
import { sentences } from '../../util/text.ts';
import { blockedBecause, describeSkip } from './reasons.ts';

export const describeContainer = sentences<ContainerOutcome>({
  Stopped: (outcome) => `stopped, exit code ${outcome.exitCode}`,
  AlreadyEnded: (outcome) => `had already ended, exit code ${outcome.exitCode}`,
  StillRunning: (outcome) => describeStillRunning(outcome.because),
  Restarted: (outcome) =>
    `restarted by the kubelet${outcome.exitCode === undefined ? '' : ` after exit code ${outcome.exitCode}`}`,
  NotStarted: (outcome) =>
    outcome.reason === 'ContainerCreating'
      ? 'ended, and the no-op image has not started yet'
      : `ended, but the no-op image does not start: ${outcome.reason}`,
  Gone: 'gone with its pod',
  Replaced: 'its pod was replaced',
  Skipped: (outcome) => `skipped: ${describeSkip(outcome.reason)}`,
  NotAttempted: (outcome) => describeNotAttempted(outcome.reason),
  Unproven: (outcome) => `unproven: ${outcome.problem}`,
});

const describeStillRunning = sentences<StillRunningBecause>({
  Outlived: 'still running',
  LastResortDue: 'still running: only a last resort can end it, and the other sidecars are not done',
  UnderWay: 'still running, and may still end by what was sent to it',
  SwapUnderWay: 'still running: its image was swapped, but the kubelet has not replaced the container yet',
  CarriesOthers: 'not asked to end: other sidecars that may talk through it are still running',
  Blocked: (because) => `blocked: ${blockedBecause(because.reason)}`,
  Refused: (because) => `refused: ${because.message}`,
  NoSuchProgram: (because) => `still running: its image has no ${because.program}`,
  Unsupported: (because) => `not supported: ${because.message}`,
  Immune: (because) => `immune: ${because.message}`,
  Undelivered: (because) => `not reached: ${because.message}`,
});

export const describePod = sentences<PodOutcome>({
  Ended: (outcome) => outcome.phase,
  Stuck: 'still stuck',
  Unsettled: 'ended, phase not yet updated',
  Gone: 'gone',
  Replaced: 'replaced',
  Skipped: 'skipped',
  Blocked: 'blocked',
  NotAttempted: (outcome) => describeNotAttempted(outcome.reason),
  Unproven: 'unproven',
});

export function describeConclusion(
  outcome: PodOutcome,
  sidecars: readonly { readonly name: string; readonly outcome: ContainerOutcome }[],
  mainFailed?: boolean,
): string {
  if (outcome.kind === 'NotAttempted') {
    const names = sidecars.map(({ name }) => name).join(', ');
    return `pod is stuck on ${names} (${describeNotAttempted(outcome.reason)})`;
  }
  const each = sidecars.map((sidecar) => `${sidecar.name} ${describeContainer(sidecar.outcome)}`);
  return `pod ${describeEnd(outcome, mainFailed)}: ${each.join('; ')}`;
}

export function describeEnd(outcome: PodOutcome, mainFailed = false): string {
  const job = 'job' in outcome ? describeJob(outcome.job) : '';
  return `${describePod(outcome)}${job && `, Job ${job}${mainFailed ? ', main failed' : ''}`}`;
}

export const describeJob = sentences<JobReaction>({
  NoJob: '',
  Complete: 'Complete',
  Failed: (job) => `Failed (${job.reason})`,
  IndexFailed: 'index failed',
  RunsAgain: 'runs again',
  Active: 'not finished',
  Gone: 'gone',
  Unknown: 'unknown',
});

/** The harm of a sweep to the Job of finished work or, without one, to its pod. */
export const harms: Readonly<Record<HarmKind, string>> = {
  RunsAgain: 'runs again',
  IndexFailed: 'has a failed index',
  JobFailed: 'has failed',
  PodFailed: 'has failed',
};

/** The same for one pod, whose Job may not have been seen to react yet. */
export function describeHarm({ kind, expected }: Pick<Harm, 'kind' | 'expected'>): string {
  return `${expected ? 'most likely ' : ''}${harms[kind]}`;
}

export const stops: Record<StopReason, string> = {
  Deadline: 'the sweep reached its --deadline',
  Signal: 'the sweep was interrupted',
  LockLost: 'another sweep may have taken over',
  Declined: 'the answer was not yes',
  InternalError: 'internal error',
};

export const caps: Record<CapReason, string> = {
  OverMaxPods: '--max-pods',
  OverMaxPodsPerNamespace: 'maxPodsPerNamespace',
  OverMaxPodsPerNode: 'maxPodsPerNode',
};

/** Whether a cap left the pod out, as the operator asked. */
export function isCap(reason: NotAttemptedReason): reason is CapReason {
  return Object.hasOwn(caps, reason);
}

function describeNotAttempted(reason: NotAttemptedReason): string {
  if (reason === 'DryRun') return 'dry run';
  return isCap(reason)
    ? `left for the next sweep: ${caps[reason]}`
    : `not attempted: ${notAttempted[reason]}`;
}

const notAttempted: Readonly<Record<Exclude<NotAttemptedReason, CapReason | 'DryRun'>, string>> = {
  ...stops,
  Braked: 'the plan is for too many pods',
  NodeUnreachable: 'its node did not answer for three other pods',
};
