import type { Millis } from '../../duration.ts';
import type { JobReader } from '../../gather/jobs.ts';
import { jobOf } from '../../pod/owner.ts';
import type { Clock, JobReading, Slots } from '../../ports.ts';
import type { JobReaction, Owner, PodReading, PodView } from '../../vocabulary.ts';

/** Tells what the Job that owns an ended pod did about it. */
export interface JobWatch {
  reactionTo(reading: PodReading): Promise<JobReaction>;
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
  async function read(pod: PodView, owner: Owner): Promise<JobReaction> {
    const { namespace, uid } = pod.ref;
    let reading = await slots(() => jobs.read(namespace, owner, cut));
    for (let times = 0; times < timesToCount && isUncounted(reading, uid) && !stop.aborted; times++) {
      await clock.sleep(timeToCount, stop);
      reading = await slots(() => jobs.read(namespace, owner, cut));
    }
    return concludeJob(reading, pod.phase);
  }

  return {
    async reactionTo(reading) {
      if (reading.kind !== 'Present') return { kind: 'NoJob' };
      const { phase } = reading.pod;
      const owner = jobOf(reading.pod);
      if (!owner || (phase !== 'Succeeded' && phase !== 'Failed')) return { kind: 'NoJob' };
      return read(reading.pod, owner);
    },
  };
}

function isUncounted(reading: JobReading, uid: string): boolean {
  return reading.kind === 'Present' && reading.job.uncounted.includes(uid);
}

/** What a Job's state means for a pod of it that ended. */
export function concludeJob(reading: JobReading, phase: string): JobReaction {
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
      return phase === 'Failed' ? { kind: 'RunsAgain' } : { kind: 'Active' };
    }
  }
}
