import type { Job, Pod } from '../objects.ts';
import { completionIndex, readIndexes, writeIndexes } from './completion-index.ts';
import { awaitingReplacement, failedIndexes } from './failed-indexes.ts';
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
  /** Failed pods by index, which count when a pod has replaced them. */
  readonly held: ReadonlyMap<number, Pod>;
  /** Undefined if the indexes have no backoff limit of their own. */
  readonly failedIndexes: readonly number[] | undefined;
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
  const active = pods.filter((pod) => !over(pod) && !deleted(pod));
  const succeeded = uncounted.filter(({ status }) => status.phase === 'Succeeded');
  const lost = failedIndexes(job, failures);
  const settled = new Set([
    ...readIndexes(job.status.completedIndexes),
    ...(lost ?? []),
    ...[...succeeded, ...active].map(completionIndex),
  ]);
  const held = awaitingReplacement(job, failures, (index) => settled.has(index));
  const counted = verdicts.filter(({ pod }) => ![...held.values()].includes(pod));
  const failing = verdicts.map(({ verdict }) => verdict).find((verdict) => verdict.kind === 'FailJob');
  return {
    active,
    terminating: pods.filter((pod) => !over(pod) && deleted(pod)),
    succeeded,
    failed: counted.filter(({ verdict }) => verdict.kind !== 'Ignore').map(({ pod }) => pod),
    ignored: counted.filter(({ verdict }) => verdict.kind === 'Ignore').map(({ pod }) => pod),
    held,
    failedIndexes: lost,
    failJob: failing?.message,
  };
}

/** The count of a Job that has ended: nothing replaces its failed pods any more. */
export function withoutBlocked(count: PodCount): PodCount {
  return { ...count, held: new Map(), failed: [...count.failed, ...count.held.values()] };
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
    ...(count.failedIndexes ? { failedIndexes: writeIndexes(count.failedIndexes) } : {}),
    terminating: count.terminating.length,
    uncountedTerminatedPods: {},
    ready: count.active.filter(isReady).length,
  };
}

function isReady(pod: Pod): boolean {
  return pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}
