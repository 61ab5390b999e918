import type { PodOutcome } from '../vocabulary.ts';
import type { SweepReport } from './schema.ts';

/** The process's exit codes; 2 (usage or configuration) is given before there is a report. */
export const exitCodes = {
  resolved: 0,
  internal: 1,
  usage: 2,
  unread: 3,
  unresolved: 4,
  stopped: 5,
} as const;

/** A pure function of the report, so that nobody can read one thing and script against another. */
export function exitCodeOf(report: SweepReport): number {
  if (report.run.stoppedEarly) return exitCodes.stopped;
  if (report.unread.length > 0) return exitCodes.unread;
  if (report.pods.some(({ outcome }) => !isResolved(outcome))) return exitCodes.unresolved;
  // There was nothing in them to end, and nobody has looked into it yet.
  if (report.neverStarted.length > 0 && !report.run.dryRun) return exitCodes.unresolved;
  return exitCodes.resolved;
}

/** Whether a pod needs nobody's attention any more; in a dry run nothing was meant to be resolved. */
export function isResolved(outcome: PodOutcome): boolean {
  switch (outcome.kind) {
    case 'Ended':
    case 'Gone':
    case 'Replaced':
      return true;
    case 'NotAttempted':
      return outcome.reason === 'DryRun';
    case 'Skipped':
      // It runs again, is being deleted, or nobody calls its container a sidecar any more: it is not stuck.
      return outcome.reason.kind === 'NoLongerCandidate';
    case 'Stuck':
    case 'Unsettled':
    case 'Held':
    case 'Unproven':
      return false;
  }
}
