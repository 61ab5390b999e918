import type { Cluster, Emit, JobReading } from '../ports.ts';
import type { JobReaction, PodReading, PodView } from '../types.ts';
import type { Slots } from './slots.ts';

/** Tells what the Job that owns an ended pod did about it. */
export interface JobWatch {
  reactionTo(reading: PodReading): Promise<JobReaction>;
}

/** Reads Jobs one by one; a namespace that refuses is warned of once and not asked again. */
export function createJobWatch(
  cluster: Pick<Cluster, 'readJob'>,
  slots: Slots,
  emit: Emit,
  cut: AbortSignal,
): JobWatch {
  const refused = new Map<string, string>();

  async function read(pod: PodView, name: string): Promise<JobReaction> {
    const { namespace } = pod.ref;
    const message = refused.get(namespace);
    if (message !== undefined) return { kind: 'Unknown', problem: message };
    const reading = await slots(() => cluster.readJob(namespace, name, cut));
    if (reading.kind === 'Unreadable' && reading.problem.kind === 'Forbidden' && !refused.has(namespace)) {
      refused.set(namespace, reading.problem.message);
      emit({ kind: 'Warned', warning: { kind: 'JobsUnreadable', message: reading.problem.message } });
    }
    return concludeJob(reading, pod.phase);
  }

  return {
    async reactionTo(reading) {
      if (reading.kind !== 'Present' || reading.pod.owner?.kind !== 'Job') return { kind: 'NoJob' };
      const { phase, owner } = reading.pod;
      if (phase !== 'Succeeded' && phase !== 'Failed') return { kind: 'NoJob' };
      return read(reading.pod, owner.name);
    },
  };
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
