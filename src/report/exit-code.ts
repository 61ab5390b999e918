import type { PodOutcome } from '../model/outcome.ts';
import { isFault } from '../model/reading.ts';
import type { SweepReport } from './schema.ts';
import { isCap } from './texts/outcomes.ts';

/** With 2, there is no report; with 1, there may be none. */
export const exitCodes = {
  resolved: 0,
  internal: 1,
  usage: 2,
  unread: 3,
  unresolved: 4,
  stopped: 5,
  braked: 6,
  harmed: 7,
} as const;

export const exitCodeMeanings: Record<keyof typeof exitCodes, string> = {
  resolved: 'all resolved, nothing to do, or left for the next sweep (--max-pods)',
  internal: 'internal error',
  usage: 'invalid usage or configuration',
  unread: 'the cluster, or a part of the scope, could not be read',
  unresolved: 'some pods are still stuck',
  stopped: 'stopped early (--deadline, a signal, a lost Lease, or a declined plan)',
  braked: 'a plan was for too many pods, so none of it was sent (brakePods)',
  harmed: 'finished work runs again or has failed because of this sweep',
};

/** A pure function of the report, so that the exit code and the report cannot disagree. */
export function exitCodeOf(report: SweepReport, failOn: 'unresolved' | 'error' = 'unresolved'): number {
  // Harm comes first, because the rest can be looked at again. Harm by an owner's own promise counts as permitted: one tenant must not
  // fail the CronJob of all.
  if (report.pods.some(({ harm }) => harm && !harm.permitted)) return exitCodes.harmed;
  if (report.run.stoppedEarly === 'InternalError') return exitCodes.internal;
  if (report.run.stoppedEarly) return exitCodes.stopped;
  // In a dry run as well: the sweep that it stands for would send nothing.
  if (isBraked(report)) return exitCodes.braked;
  if (report.unread.length > 0) return exitCodes.unread;
  if (failOn === 'unresolved' && countUnresolved(report) > 0) return exitCodes.unresolved;
  return exitCodes.resolved;
}

export function isBraked({ warnings }: SweepReport): boolean {
  return warnings.some(({ kind }) => kind === 'Braked');
}

/** How many pods are left stuck or blocked, and not because the operator asked for that. */
export function countUnresolved(report: SweepReport): number {
  const { pods, neverStarted, notStartedAgain, undecided, run } = report;
  // The sweep could do nothing about these, so an operator has to.
  const waiting = run.dryRun ? 0 : neverStarted.length + notStartedAgain.length;
  // Odd data may be set right by the next sweep. A defect of ours is not, and may hide that all pods are stuck.
  const faulty = undecided.filter(({ problem }) => isFault(problem));
  return waiting + faulty.length + pods.filter(({ outcome }) => !isResolved(outcome)).length;
}

/** Whether a pod needs no more attention. A dry run is not meant to resolve anything, and a cap leaves pods to the next sweep. */
export function isResolved(outcome: PodOutcome): boolean {
  switch (outcome.kind) {
    case 'Ended':
    case 'Gone':
    case 'Replaced':
      return true;
    case 'NotAttempted':
      return outcome.reason === 'DryRun' || isCap(outcome.reason);
    case 'Skipped':
      // The pod has changed and is no longer stuck: for example, it is being deleted.
      return outcome.reason.kind === 'NoLongerCandidate';
    case 'Stuck':
    case 'Unsettled':
    case 'Blocked':
    case 'Unproven':
      return false;
  }
}
