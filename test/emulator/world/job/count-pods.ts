import type { Job, Pod } from '../objects.ts';
import { completionIndex, readIndexes, writeIndexes } from './completion-index.ts';
import { judgeFailure } from './failure-policy.ts';
import { TRACKING_FINALIZER } from './job-pod.ts';

/** A Job's pods, sorted by how the Job counts them. */
export interface PodCount {
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  /** Ended but not yet counted. */
  readonly succeeded: readonly Pod[];
  readonly failed: readonly Pod[];
  /** Ended and ignored by a rule of the podFailurePolicy. */
  readonly ignored: readonly Pod[];
  /** The message of a FailJob rule that matched a pod. */
  readonly failJob: string | undefined;
}

/** Sorts a Job's pods. Unless podReplacementPolicy is Failed, a terminating pod counts as failed at once. */
export function countPods(job: Job, pods: readonly Pod[]): PodCount {
  const deleted = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
  const over = ({ status }: Pod) => status.phase === 'Succeeded' || status.phase === 'Failed';
  const uncounted = pods.filter(({ metadata }) => metadata.finalizers?.includes(TRACKING_FINALIZER));
  const failures = uncounted.filter(
    (pod) =>
      pod.status.phase === 'Failed' ||
      (!over(pod) && deleted(pod) && job.spec.podReplacementPolicy !== 'Failed'),
  );
  const verdicts = failures.map((pod) => ({ pod, verdict: judgeFailure(job, pod) }));
  const failing = verdicts.map(({ verdict }) => verdict).find((verdict) => verdict.kind === 'FailJob');
  return {
    active: pods.filter((pod) => !over(pod) && !deleted(pod)),
    terminating: pods.filter((pod) => !over(pod) && deleted(pod)),
    succeeded: uncounted.filter(({ status }) => status.phase === 'Succeeded'),
    failed: verdicts.filter(({ verdict }) => verdict.kind !== 'Ignore').map(({ pod }) => pod),
    ignored: verdicts.filter(({ verdict }) => verdict.kind === 'Ignore').map(({ pod }) => pod),
    failJob: failing?.message,
  };
}

/** The count of a Job that fails: its active pods are being deleted, and have failed as far as it cares. */
export function withActiveFailed(count: PodCount): PodCount {
  const tracked = count.active.filter(({ metadata }) => metadata.finalizers?.includes(TRACKING_FINALIZER));
  return {
    ...count,
    active: [],
    terminating: [...count.terminating, ...count.active],
    failed: [...count.failed, ...tracked],
  };
}

/** The Job's status after these pods are counted. */
export function countedStatus(job: Job, count: PodCount): Job['status'] {
  const { conditions, startTime, completionTime, ...rest } = job.status;
  const indexed = job.spec.completionMode === 'Indexed';
  const indexes = new Set([
    ...readIndexes(rest.completedIndexes),
    ...count.succeeded.map(completionIndex).filter((index) => index !== undefined),
  ]);
  const succeeded = indexed ? indexes.size : (rest.succeeded ?? 0) + count.succeeded.length;
  const failed = (rest.failed ?? 0) + count.failed.length;
  return {
    ...(conditions ? { conditions } : {}),
    ...(startTime ? { startTime } : {}),
    ...(completionTime ? { completionTime } : {}),
    ...(count.active.length > 0 ? { active: count.active.length } : {}),
    ...(succeeded > 0 ? { succeeded } : {}),
    ...(failed > 0 ? { failed } : {}),
    ...(indexed && indexes.size > 0 ? { completedIndexes: writeIndexes(indexes) } : {}),
    terminating: count.terminating.length,
    uncountedTerminatedPods: {},
    ready: count.active.filter(isReady).length,
  };
}

function isReady(pod: Pod): boolean {
  return pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}
