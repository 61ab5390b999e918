import type { JobReaction, JobView } from './job.ts';
import type { PodView } from './pod.ts';
import type { JobReading } from './reading.ts';

/** How a pod ended: `Restarted` if it runs on with a sidecar started again, `Unknown` if it is gone and no read showed its end. */
export type PodEnd = 'Succeeded' | 'Failed' | 'Restarted' | 'Unknown';

/**
 * Whether a Job may show more a moment later: it counts an ended pod after it has written down its uid, and a restart under OnFailure
 * a second after it (recorded: job-backoff-zero-onfailure-deletes-pod), which it shows only if it then fails.
 */
export function mayStillReact(reading: JobReading, { ref }: PodView, end: PodEnd): boolean {
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
      const { complete, failed, failedIndexes, isWorkQueue, succeededPods } = reading.job;
      if (complete) return { kind: 'Complete' };
      if (failed !== undefined) return { kind: 'Failed', reason: failed };
      if (end === 'Succeeded') return { kind: 'Active' };
      const index = Number(pod.annotations[completionIndex] ?? Number.NaN);
      if (failedIndexes.some(([first, last]) => first <= index && index <= last)) {
        return { kind: 'IndexFailed' };
      }
      // After a success no pod of a work queue is replaced (job_controller.go of Kubernetes 1.36.2, manageJob).
      if (isWorkQueue && succeededPods > 0) return { kind: 'Active' };
      // A Job that has neither finished nor given up makes up for a failed pod, after a back-off of 10 s or more.
      return end === 'Failed' ? { kind: 'RunsAgain' } : { kind: 'Active' };
    }
  }
}

const completionIndex = 'batch.kubernetes.io/job-completion-index';

/**
 * How many pods of a Job have failed, with those that its controller has not noticed yet, which still carry its finalizer. It adds
 * these up before it looks at `backoffLimit`.
 */
export function failedPodsOf({ failedPods, uncounted }: JobView, pods: readonly PodView[]): number {
  const unnoticed = pods.filter(
    ({ ref, phase, awaitsJobTracking }) =>
      phase === 'Failed' && awaitsJobTracking && !uncounted.includes(ref.uid),
  );
  return failedPods + unnoticed.length;
}
