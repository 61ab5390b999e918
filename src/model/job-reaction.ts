import type { JobReaction, JobView } from './job.ts';
import type { PodView } from './pod.ts';
import type { JobReading } from './reading.ts';

/** How a pod ended: `Restarted` if it still runs, with a restarted sidecar, `Unknown` if it is gone and no read showed its end. */
export type PodEnd = 'Succeeded' | 'Failed' | 'Restarted' | 'Unknown';

/**
 * Whether a later read of a Job may show more. Its controller lists the uid of an ended pod before it counts the pod. It counts a
 * restart under OnFailure a second late (recorded: job-backoff-zero-onfailure-deletes-pod); that shows only if the Job then fails.
 */
export function mayStillReact(reading: JobReading, { ref }: PodView, end: PodEnd): boolean {
  if (reading.kind !== 'Present') return false;
  const { uncounted, complete, failed } = reading.job;
  return uncounted.includes(ref.uid) || (end === 'Restarted' && !complete && failed === undefined);
}

/** How a Job reacted to the end of one of its pods, by its state. */
export function concludeJob(reading: JobReading, pod: PodView, end: PodEnd): JobReaction {
  switch (reading.kind) {
    case 'Gone':
      return { kind: 'Gone' };
    case 'Unreadable':
      return { kind: 'Unknown', problem: reading.problem.message };
    case 'Present': {
      const { complete, failed, failedIndexes } = reading.job;
      if (complete) return { kind: 'Complete' };
      if (failed !== undefined) return { kind: 'Failed', reason: failed };
      if (end === 'Succeeded') return { kind: 'Active' };
      const index = Number(pod.annotations[completionIndex] ?? Number.NaN);
      if (failedIndexes.some(([first, last]) => first <= index && index <= last)) {
        return { kind: 'IndexFailed' };
      }
      if (reading.job.otherController !== undefined || !replacesPods(reading.job)) return { kind: 'Active' };
      if (end !== 'Failed') return { kind: 'Active' };
      // The controller takes its finalizer away once it has counted the pod, which may be late.
      if (pod.phase === 'Failed' && pod.awaitsJobTracking) {
        return { kind: 'Unknown', problem: 'it has not counted the pod yet' };
      }
      // A Job that has neither completed nor failed replaces a failed pod, after a back-off of 10 s or more.
      return { kind: 'RunsAgain' };
    }
  }
}

/**
 * Whether a Job that goes on replaces a failed pod: one without `completions` does not once a pod has succeeded (recorded:
 * job-work-queue-after-success).
 * https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/controller/job/job_controller.go#L1799
 */
export function replacesPods({ completions, succeededPods }: JobView): boolean {
  return completions !== undefined || succeededPods === 0;
}

const completionIndex = 'batch.kubernetes.io/job-completion-index';

/** With those that still carry the controller's finalizer: it counts them before it checks `backoffLimit`. */
export function failedPodsOf({ failedPods, uncounted }: JobView, pods: readonly PodView[]): number {
  const unnoticed = pods.filter(
    ({ ref, phase, awaitsJobTracking }) =>
      phase === 'Failed' && awaitsJobTracking && !uncounted.includes(ref.uid),
  );
  return failedPods + unnoticed.length;
}
