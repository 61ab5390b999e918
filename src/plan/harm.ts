import { mayHaveWorked } from '../methods/attempt.ts';
import { endsPod } from '../methods/index.ts';
import type { Harm, JobReaction } from '../model/job.ts';
import type { PodEnd } from '../model/job-reaction.ts';
import type { Seen } from '../model/observation.ts';
import { jobOf, type PodView } from '../model/pod.ts';
import type { PodReading } from '../model/reading.ts';
import type { UncleanCost } from '../model/step.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Attempt } from './sweep-event.ts';
import { costOf, isRestarted, type UncleanEnd } from './unclean-cost.ts';

/**
 * How a pod ended; one that is gone may have been seen to end, or this sweep has removed it. One that succeeds after its Job has given it
 * up is replaced like one that failed.
 */
export function endOf(
  { restartPolicy, restarts }: Pick<PodView, 'restartPolicy' | 'restarts'>,
  reading: PodReading,
  seen: Seen,
  attempts: readonly Attempt[],
): PodEnd {
  if (seen.isGivenUp && (reading.kind === 'Present' || reading.kind === 'Gone')) return 'Failed';
  switch (reading.kind) {
    case 'Present': {
      const isRestarted = restartPolicy === 'OnFailure' && reading.pod.restarts > restarts;
      return endIn(reading.pod.phase) ?? (isRestarted ? 'Restarted' : 'Unknown');
    }
    case 'Gone': {
      const end = endIn(seen.phase);
      if (end || isTakenAway(seen, attempts)) return end ?? 'Unknown';
      const hasFailed = seen.hasEndedUnclean && restartPolicy === 'Never';
      return hasFailed || hasEndedPod(attempts) ? 'Failed' : 'Unknown';
    }
    case 'Replaced':
    case 'Unreadable':
      return 'Unknown';
  }
}

function endIn(phase: string | undefined): 'Succeeded' | 'Failed' | undefined {
  return phase === 'Succeeded' || phase === 'Failed' ? phase : undefined;
}

/** An act that may have harmed the work of a pod. */
export interface Deed {
  readonly candidate: Candidate;
  /** The cost of any unclean end, by the plan. */
  readonly cost: UncleanCost;
  /** Of all sidecars of the pod. */
  readonly attempts: readonly Attempt[];
  readonly seen: Seen;
  readonly end: PodEnd;
  readonly job: JobReaction;
  /** How its sidecars ended by this sweep, except for those that ended with 0. */
  readonly ends: readonly UncleanEnd[];
  /** Whether the sweep is stopping, so that its Job was given no time to react. */
  readonly isCut: boolean;
  /** Whether all of its sidecars were seen to end with 0. */
  readonly isClean?: boolean;
}

type HarmFound = Pick<Harm, 'kind' | 'expected'>;

/** The harm that this sweep, and no other cause, did to the finished work of a pod. */
export function harmOf(deed: Deed): HarmFound | undefined {
  const { candidate, attempts, seen, end, job, ends } = deed;
  if (candidate.mains.some(({ exitCode }) => exitCode !== 0)) return undefined;
  if (!attempts.some(mayHaveWorked) || isTakenAway(seen, attempts)) return undefined;
  // Another pod may fail its Job, which then deletes it before it has succeeded.
  const isClean = end === 'Succeeded' || (deed.isClean && !hasEndedPod(attempts));
  // A clean image swap is a restart as well, which a Job counts under OnFailure (recorded: image-swap-onfailure-backoff-one-fails).
  if (isClean && !seen.hasEndedUnclean) return undefined;
  switch (job.kind) {
    case 'Failed':
      // The Job's own deadline.
      return job.reason === 'DeadlineExceeded' ? undefined : { kind: 'JobFailed' };
    case 'IndexFailed':
    case 'RunsAgain':
      // A failed pod stays, for some time at least. One that vanished while its containers ran, or that its Job gave up although its
      // sidecars ended with 0, was deleted by another client.
      if (seen.isGivenUp && ends.length === 0 && !hasEndedPod(attempts)) return undefined;
      return end === 'Failed' ? { kind: job.kind } : undefined;
    case 'NoJob':
      if (end === 'Failed' && isJudgedByPod(deed)) return { kind: 'PodFailed' };
      return jobOf(candidate.pod) && ends.length > 0 ? expectedHarm(deed) : undefined;
    case 'Active':
      // Another controller manages the Job, and its reaction is not known.
      if (end === 'Failed' && isOfOtherOwner(deed.cost)) return { kind: 'PodFailed' };
      return ends.length > 0 ? expectedHarm(deed) : undefined;
    case 'Unknown':
      return ends.length > 0 ? expectedHarm(deed) : undefined;
    case 'Gone':
      // A failed Job with ttlSecondsAfterFinished: 0 is removed at once; one that would run the work again is not.
      return end === 'Failed' && deed.cost.kind !== 'AnotherRun' ? expectedHarm(deed) : undefined;
    case 'Complete':
      return undefined;
  }
}

/** A sidecar has ended unclean, and the sweep cannot wait for what its Job does about that. */
function expectedHarm({ cost, end, ends, candidate, job, seen, isCut }: Deed): HarmFound | undefined {
  const isRestartedAfter = ({ exitCode = 1, ...one }: UncleanEnd) =>
    isRestarted({ ...one, exitCode }, candidate.pod);
  if (candidate.pod.restartPolicy === 'OnFailure' && ends.every(isRestartedAfter)) {
    // The Job counts a restart a second late (recorded: job-backoff-zero-onfailure-deletes-pod), and only once its back-off is over.
    const isDue = end === 'Unknown' && seen.last?.kind !== 'Gone';
    const isLost =
      cost.kind === 'Job' && cost.because === 'NoRetriesLeft' && (isCut || isDue || job.kind === 'Unknown');
    return isLost ? { kind: 'JobFailed', expected: true } : undefined;
  }
  switch (cost.kind) {
    case 'Nothing':
    case 'Restart':
      return undefined;
    case 'AnotherRun':
      // A work queue does not replace failed pods once a pod has succeeded.
      return end === 'Failed' && job.kind === 'Active' ? undefined : { kind: 'RunsAgain', expected: true };
    case 'Index':
      return { kind: 'IndexFailed', expected: true };
    case 'Job':
      return { kind: 'JobFailed', expected: true };
  }
}

function isOfOtherOwner(cost: UncleanCost): boolean {
  return cost.kind === 'Job' && cost.because === 'OtherOwner';
}

/** Whether the pod has an owner other than a Job, or a platform that judges the work by the pod's phase. */
function isJudgedByPod({ candidate, attempts, ends }: Deed): boolean {
  if (jobOf(candidate.pod)) return false;
  const all = candidate.sidecars.map(({ container: { name } }) => ({ container: name, exitCode: undefined }));
  return (hasEndedPod(attempts) ? all : ends).some(
    (end) => costOf(candidate, undefined, end).kind !== 'Nothing',
  );
}

/** Whether another client has ended the pod: a drain, a preemption, a deletion. */
function isTakenAway({ isDisrupted, isDeletedFirst }: Seen, attempts: readonly Attempt[]): boolean {
  return (isDisrupted || isDeletedFirst) && !hasEndedPod(attempts);
}

/** Whether the sweep itself may have ended the whole pod: its own eviction disrupts the pod, too. */
function hasEndedPod(attempts: readonly Attempt[]): boolean {
  return attempts.some((attempt) => endsPod(attempt.step.method) && mayHaveWorked(attempt));
}
