import type { JobReader } from '../../facts/jobs.ts';
import type { JobReaction, JobView } from '../../model/job.ts';
import { jobOf, type Owner, type PodView } from '../../model/pod.ts';
import type { JobReading } from '../../model/ports.ts';
import type { Slots } from '../../util/concurrency.ts';
import type { Clock, Millis } from '../../util/time.ts';

/** How a pod ended: `Restarted` if it runs on with a sidecar started again, `Unknown` if it is gone and nobody saw. */
export type PodEnd = 'Succeeded' | 'Failed' | 'Restarted' | 'Unknown';

/** Tells what the Job that owns a pod did about its end. */
export interface JobWatch {
  reactionTo(pod: PodView, end: PodEnd): Promise<JobReaction>;
}

interface JobWatchOptions {
  readonly jobs: Pick<JobReader, 'read'>;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly cut: AbortSignal;
}

/** The Job controller writes the uid of an ended pod down first and counts it a moment later. */
const timesToCount = 5;
const timeToCount: Millis = 500;

export function createJobWatch({ jobs, slots, clock, stop, cut }: JobWatchOptions): JobWatch {
  async function read(pod: PodView, end: PodEnd, owner: Owner): Promise<JobReaction> {
    const { namespace } = pod.ref;
    let reading = await slots(() => jobs.read(namespace, owner, cut));
    for (let times = 0; times < timesToCount && mayStillReact(reading, pod, end) && !stop.aborted; times++) {
      await clock.sleep(timeToCount, stop);
      reading = await slots(() => jobs.read(namespace, owner, cut));
    }
    return concludeJob(reading, pod, end);
  }

  return {
    async reactionTo(pod, end) {
      const owner = jobOf(pod);
      return owner ? read(pod, end, owner) : { kind: 'NoJob' };
    },
  };
}

/**
 * A restart under OnFailure is counted a second after it (recorded: job-backoff-zero-onfailure-deletes-pod), and the Job shows
 * that only if it then fails.
 */
function mayStillReact(reading: JobReading, { ref }: PodView, end: PodEnd): boolean {
  if (reading.kind !== 'Present') return false;
  const { uncounted, complete, failed } = reading.job;
  return uncounted.includes(ref.uid) || (end === 'Restarted' && !complete && failed === undefined);
}

/** What a Job's state means for a pod of it that ended. */
export function concludeJob(reading: JobReading, pod: PodView, end: PodEnd): JobReaction {
  switch (reading.kind) {
    case 'Gone':
      return { kind: 'Gone' };
    case 'Unreadable':
      return { kind: 'Unknown', problem: reading.problem.message };
    case 'Present': {
      const { complete, failed } = reading.job;
      if (complete) return { kind: 'Complete' };
      if (failed !== undefined) return { kind: 'Failed', reason: failed };
      // A Job that has neither finished nor given up makes up for a failed pod, after a back-off of 10 s or more.
      if (end === 'Succeeded') return { kind: 'Active' };
      if (hasFailed(pod, reading.job)) return { kind: 'IndexFailed' };
      return end === 'Failed' ? { kind: 'RunsAgain' } : { kind: 'Active' };
    }
  }
}

const completionIndex = 'batch.kubernetes.io/job-completion-index';

/** Whether the index that a pod works on has failed for good. */
function hasFailed({ annotations }: PodView, { failedIndexes }: JobView): boolean {
  const index = Number(annotations[completionIndex] ?? Number.NaN);
  return failedIndexes.some(([first, last]) => first <= index && index <= last);
}
