import type { HarmKind, JobReaction } from '../../model/job.ts';
import type {
  ContainerOutcome,
  NotAttemptedReason,
  PodOutcome,
  StillRunningBecause,
  StopReason,
} from '../../model/outcome.ts';
import { describeBlocked, describeSkip } from './reasons.ts';

export function describeContainer(outcome: ContainerOutcome): string {
  switch (outcome.kind) {
    case 'Stopped':
      return `stopped, exit code ${outcome.exitCode}`;
    case 'AlreadyEnded':
      return `had already ended, exit code ${outcome.exitCode}`;
    case 'StillRunning':
      return describeStillRunning(outcome.because);
    case 'Restarted':
      return `restarted by the kubelet${outcome.exitCode === undefined ? '' : ` after exit code ${outcome.exitCode}`}`;
    case 'NotStarted':
      return outcome.reason === 'ContainerCreating'
        ? 'ended, and the no-op image has not started yet'
        : `ended, but the no-op image does not start: ${outcome.reason}`;
    case 'Gone':
      return 'gone with its pod';
    case 'Replaced':
      return 'its pod was replaced';
    case 'Skipped':
      return `skipped: ${describeSkip(outcome.reason)}`;
    case 'NotAttempted':
      return describeNotAttempted(outcome.reason);
    case 'Unproven':
      return `unproven: ${outcome.problem}`;
  }
}

function describeStillRunning(because: StillRunningBecause): string {
  switch (because.kind) {
    case 'Outlived':
      return 'still running';
    case 'LastResortDue':
      return 'still running: only a last resort can end it, and the other sidecars are not done';
    case 'UnderWay':
      return 'still running, and may still end by what was sent to it';
    case 'SwapUnderWay':
      return 'its image was swapped, but the kubelet has not replaced the container yet';
    case 'CarriesOthers':
      return 'not asked to end: other sidecars that may talk through it are still running';
    case 'Blocked':
      return `blocked: ${describeBlocked(because.reason)}`;
    case 'Refused':
      return `refused: ${because.message}`;
    case 'NoSuchProgram':
      return isShell(because.program)
        ? `no shell: the image has no ${because.program}`
        : `the image has no ${because.program}`;
    case 'Unsupported':
      return `not supported: ${because.message}`;
    case 'Immune':
      return `immune: ${because.message}`;
    case 'Undelivered':
      return `not reached: ${because.message}`;
  }
}

export function describePod(outcome: PodOutcome): string {
  switch (outcome.kind) {
    case 'Ended':
      return outcome.phase;
    case 'Stuck':
      return 'still stuck';
    case 'Unsettled':
      return 'ended, phase not yet updated';
    case 'Gone':
      return 'gone';
    case 'Replaced':
      return 'replaced';
    case 'Skipped':
      return 'skipped';
    case 'Blocked':
      return 'blocked';
    case 'NotAttempted':
      return describeNotAttempted(outcome.reason);
    case 'Unproven':
      return 'unproven';
  }
}

/** What became of a pod, its Job and its sidecars, on one line. */
export function describeConclusion(
  outcome: PodOutcome,
  sidecars: readonly { readonly name: string; readonly outcome: ContainerOutcome }[],
): string {
  if (outcome.kind === 'NotAttempted') {
    const names = sidecars.map(({ name }) => name).join(', ');
    return `pod is stuck on ${names} (${describeNotAttempted(outcome.reason)})`;
  }
  const job = outcome.kind === 'Ended' ? describeJob(outcome.job) : '';
  const each = sidecars.map((sidecar) => `${sidecar.name} ${describeContainer(sidecar.outcome)}`);
  return `pod ${describePod(outcome)}${job && `, Job ${job}`}: ${each.join('; ')}`;
}

export function describeJob(job: JobReaction): string {
  switch (job.kind) {
    case 'NoJob':
      return '';
    case 'Complete':
      return 'Complete';
    case 'Failed':
      return `Failed (${job.reason})`;
    case 'IndexFailed':
      return 'index failed';
    case 'RunsAgain':
      return 'runs again';
    case 'Active':
      return 'active';
    case 'Gone':
      return 'gone';
    case 'Unknown':
      return 'unknown';
  }
}

/** What a sweep did to finished work. */
export function describeHarm(harm: HarmKind): string {
  switch (harm) {
    case 'RunsAgain':
      return 'runs again';
    case 'IndexFailed':
      return 'index failed';
    case 'JobFailed':
      return 'failed';
    case 'PodFailed':
      return 'pod failed';
  }
}

function describeNotAttempted(reason: NotAttemptedReason): string {
  switch (reason) {
    case 'DryRun':
      return 'dry run';
    case 'Braked':
      return 'not attempted: the plan is for too many pods';
    case 'OverMaxPods':
      return 'left for the next sweep: --max-pods';
    case 'OverMaxPodsPerNamespace':
      return 'left for the next sweep: --max-pods-per-namespace';
    case 'OverMaxPodsPerNode':
      return 'left for the next sweep: --max-pods-per-node';
    case 'NodeUnreachable':
      return 'not attempted: its node did not answer for three other pods';
    case 'Deadline':
    case 'Signal':
    case 'LockLost':
    case 'Declined':
    case 'InternalError':
      return `not attempted: ${stops[reason]}`;
  }
}

/** Why a sweep stopped early. */
export const stops: Record<StopReason, string> = {
  Deadline: 'the sweep reached its --deadline',
  Signal: 'the sweep was interrupted',
  LockLost: 'another sweep may have taken over',
  Declined: 'the answer was not yes',
  InternalError: 'internal error',
};

function isShell(program: string): boolean {
  return /(?:^|\/)(?:ba|da|a|z|k)?sh$/.test(program);
}
