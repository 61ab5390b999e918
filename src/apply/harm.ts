import { mayHaveWorked } from '../methods/attempt.ts';
import { endsPod } from '../methods/index.ts';
import type { HarmKind, JobReaction } from '../model/job.ts';
import { jobOf, type PodView } from '../model/pod.ts';
import type { PodReading } from '../model/reading.ts';
import type { Candidate } from '../model/verdict.ts';
import { costOf, type UncleanEnd } from '../plan/cost.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { Seen } from './wait/witness.ts';

/** How a pod ended, as far as it can be proved. */
export type Fate = 'Succeeded' | 'Failed' | 'Unknown';

/** How a pod ended; one that is gone may have been seen to end, or this sweep has removed it. */
export function fateOf(
  { restartPolicy }: Pick<PodView, 'restartPolicy'>,
  reading: PodReading,
  seen: Seen,
  attempts: readonly Attempt[],
): Fate {
  switch (reading.kind) {
    case 'Present':
      return fateIn(reading.pod.phase);
    case 'Gone': {
      const fate = fateIn(seen.phase);
      if (fate !== 'Unknown' || isTakenAway(seen, attempts)) return fate;
      const hasFailed = seen.hasEndedUnclean && restartPolicy === 'Never';
      return hasFailed || hasEndedPod(attempts) ? 'Failed' : fate;
    }
    case 'Replaced':
    case 'Unreadable':
      return 'Unknown';
  }
}

function fateIn(phase: string | undefined): Fate {
  return phase === 'Succeeded' || phase === 'Failed' ? phase : 'Unknown';
}

/** What may have done harm to the work of a pod. */
export interface Deed {
  readonly candidate: Candidate;
  /** Of all sidecars of the pod. */
  readonly attempts: readonly Attempt[];
  readonly seen: Seen;
  readonly fate: Fate;
  readonly job: JobReaction;
  /** How its sidecars ended, except for those that ended with 0. */
  readonly ends: readonly UncleanEnd[];
}

/**
 * What this sweep, and nobody else, did to the work of a pod that was finished. A Job that failed before its pod was seen to
 * end has deleted it, so the Job alone tells.
 */
export function harmOf(deed: Deed): HarmKind | undefined {
  const { candidate, attempts, seen, fate, job } = deed;
  if (candidate.mains.some(({ exitCode }) => exitCode !== 0)) return undefined;
  if (!attempts.some(mayHaveWorked) || isTakenAway(seen, attempts)) return undefined;
  // A clean image swap is a restart as well, which a Job counts under OnFailure (recorded: image-swap-onfailure-backoff-one-fails).
  if (fate === 'Succeeded' && !seen.hasEndedUnclean) return undefined;
  switch (job.kind) {
    case 'Failed':
      // The Job's own deadline.
      return job.reason === 'DeadlineExceeded' ? undefined : 'JobFailed';
    case 'IndexFailed':
    case 'RunsAgain':
      // A failed pod stays, for some time at least. One that vanished while its containers ran was deleted by somebody else, at once.
      return fate === 'Failed' ? job.kind : undefined;
    case 'NoJob':
      return fate === 'Failed' && isJudgedByPod(deed) ? 'PodFailed' : undefined;
    case 'Complete':
    case 'Active':
    case 'Gone':
    case 'Unknown':
      return undefined;
  }
}

/** Whether the pod has an owner that is no Job, or a platform, which takes its end for that of its work. */
function isJudgedByPod({ candidate, attempts, ends }: Deed): boolean {
  if (jobOf(candidate.pod)) return false;
  const all = candidate.sidecars.map(
    ({ container: { name } }): UncleanEnd => ({ container: name, exitCode: undefined, withPod: true }),
  );
  return (hasEndedPod(attempts) ? all : ends).some(
    (end) => costOf(candidate, undefined, end).kind !== 'Nothing',
  );
}

/** Whether somebody else has ended the pod: a drain, a preemption, or whoever deleted it. */
function isTakenAway({ isDisrupted, isDeletedFirst }: Seen, attempts: readonly Attempt[]): boolean {
  return (isDisrupted || isDeletedFirst) && !hasEndedPod(attempts);
}

/** Whether the sweep itself may have ended the whole pod: its own eviction disrupts the pod, too. */
function hasEndedPod(attempts: readonly Attempt[]): boolean {
  return attempts.some((attempt) => endsPod(attempt.step.method) && mayHaveWorked(attempt));
}
