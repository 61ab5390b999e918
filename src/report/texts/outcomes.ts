import type { ContainerOutcome, JobReaction, NotAttemptedReason, PodOutcome } from '../../vocabulary.ts';
import { describeHeld, describeSkip } from './reasons.ts';

export function describeContainer(outcome: ContainerOutcome): string {
  switch (outcome.kind) {
    case 'Stopped':
      return `stopped, exit code ${outcome.exitCode}`;
    case 'AlreadyEnded':
      return `had ended, exit code ${outcome.exitCode}`;
    case 'StillRunning':
      return 'still running';
    case 'Restarted':
      return `restarted by the kubelet${outcome.exitCode === undefined ? '' : ` after exit code ${outcome.exitCode}`}`;
    case 'Gone':
      return 'gone with its pod';
    case 'Replaced':
      return 'its pod was replaced';
    case 'Refused':
      return `refused: ${outcome.message}`;
    case 'NoShell':
      return `no shell: the image has no ${outcome.program}`;
    case 'NoSuchProgram':
      return `the image has no ${outcome.program}`;
    case 'Unsupported':
      return `not offered: ${outcome.message}`;
    case 'Immune':
      return `immune: ${outcome.message}`;
    case 'Held':
      return `held: ${describeHeld(outcome.reason)}`;
    case 'NotStarted':
      return `ended, but the no-op image does not start: ${outcome.reason}`;
    case 'Undelivered':
      return `not reached: ${outcome.message}`;
    case 'Skipped':
      return `skipped: ${describeSkip(outcome.reason)}`;
    case 'NotAttempted':
      return describeNotAttempted(outcome.reason);
    case 'Unproven':
      return `unproven: ${outcome.problem}`;
  }
}

export function describePod(outcome: PodOutcome): string {
  switch (outcome.kind) {
    case 'Ended':
      return outcome.phase;
    case 'Stuck':
      return 'still stuck';
    case 'Unsettled':
      return 'ended, phase not yet set';
    case 'Gone':
      return 'gone';
    case 'Replaced':
      return 'replaced';
    case 'Skipped':
      return 'skipped';
    case 'Held':
      return 'held';
    case 'NotAttempted':
      return describeNotAttempted(outcome.reason);
    case 'Unproven':
      return 'unproven';
  }
}

export function describeJob(job: JobReaction): string {
  switch (job.kind) {
    case 'NoJob':
      return '';
    case 'Complete':
      return 'Complete';
    case 'Failed':
      return `Failed (${job.reason})`;
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

function describeNotAttempted(reason: NotAttemptedReason): string {
  switch (reason) {
    case 'DryRun':
      return 'dry run';
    case 'InternalError':
      return 'not attempted: the sweep broke off';
    case 'Deadline':
      return 'not attempted: --deadline was reached';
    case 'Signal':
      return 'not attempted: the sweep was interrupted';
    case 'LockLost':
      return 'not attempted: another sweep may have taken over';
  }
}
