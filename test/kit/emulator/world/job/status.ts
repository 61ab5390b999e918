import type { Condition, Job, Pod } from '../objects.ts';
import { rfc3339 } from '../store.ts';
import { completionIndex, readIndexes, TRACKING_FINALIZER, writeIndexes } from './pods.ts';
import { awaitingReplacement, failedIndexes, judgeFailure, metSuccessPolicy } from './policies.ts';

export interface PodCount {
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
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
  const lost = (pod: Pod) => !over(pod) && deleted(pod) && job.spec.podReplacementPolicy !== 'Failed';
  const active = pods.filter((pod) => !over(pod) && !deleted(pod));
  const uncounted = pods.filter(isTracked);
  const succeeded = uncounted.filter(({ status }) => status.phase === 'Succeeded');
  const failures = uncounted.filter((pod) => pod.status.phase === 'Failed' || lost(pod));
  const failed = failedIndexes(job, failures);
  const settled = new Set([
    ...readIndexes(job.status.completedIndexes),
    ...(failed ?? []),
    ...[...succeeded, ...active].map(completionIndex),
  ]);
  const held = awaitingReplacement(job, failures, (index) => settled.has(index));
  const counted = failures.filter((pod) => ![...held.values()].includes(pod));
  const verdicts = failures.map((pod) => judgeFailure(job, pod));
  return {
    active,
    terminating: pods.filter((pod) => !over(pod) && deleted(pod)),
    succeeded,
    failed: counted.filter((pod) => !isIgnored(job, pod)),
    ignored: counted.filter((pod) => isIgnored(job, pod)),
    held,
    failedIndexes: failed,
    failJob: verdicts.find((verdict) => verdict.kind === 'FailJob')?.message,
  };
}

function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
}

function isIgnored(job: Job, pod: Pod): boolean {
  return judgeFailure(job, pod).kind === 'Ignore';
}

/** The count of a Job that has ended: nothing replaces its failed pods any more. */
export function withoutHeld(job: Job, count: PodCount): PodCount {
  const held = [...count.held.values()];
  return {
    ...count,
    held: new Map(),
    failed: [...count.failed, ...held.filter((pod) => !isIgnored(job, pod))],
    ignored: [...count.ignored, ...held.filter((pod) => isIgnored(job, pod))],
  };
}

/** The count of a Job that fails: its active pods are being deleted, and have failed as far as it cares. */
export function withActiveFailed(count: PodCount): PodCount {
  return {
    ...count,
    active: [],
    terminating: [...count.terminating, ...count.active],
    failed: [...count.failed, ...count.active.filter(isTracked)],
  };
}

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
    ready: count.active.filter(({ status }) => has(status, 'Ready')).length,
  };
}

type Status = Job['status'];

export function isOver({ status }: Job): boolean {
  return has(status, 'Complete') || has(status, 'Failed');
}

/** The verdict reached while pods were still running. It stands, however those pods end. */
export function verdictSoFar({ status }: Job): JobVerdict | undefined {
  const met = status.conditions?.find(
    ({ type }) => type === 'SuccessCriteriaMet' || type === 'FailureTarget',
  );
  if (!met) return undefined;
  const { reason = '', message = '' } = met;
  return { kind: met.type === 'FailureTarget' ? 'Failed' : 'Complete', reason, message };
}

/** Adds the verdict to the status; the final condition only if no pod is running (`done`). */
export function withVerdict(status: Status, verdict: JobVerdict, done: boolean, now: Date): Status {
  const { conditions = [] } = status;
  const first = verdict.kind === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const said = has(status, first) ? conditions : [...conditions, condition(first, 'True', verdict, now)];
  return {
    ...status,
    conditions: done ? [...said, condition(verdict.kind, 'True', verdict, now)] : said,
    ...(done && verdict.kind === 'Complete' ? { completionTime: rfc3339(now) } : {}),
  };
}

/** Adds the Suspended condition. A suspended Job has no start time, a resumed one gets a new one. */
export function withSuspension(status: Status, suspended: boolean, now: Date): Status {
  if (has(status, 'Suspended') === suspended) return status;
  const why = suspended
    ? { reason: 'JobSuspended', message: 'Job suspended' }
    : { reason: 'JobResumed', message: 'Job resumed' };
  const { startTime, ...rest } = status;
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'Suspended');
  return {
    ...rest,
    conditions: [...others, condition('Suspended', suspended ? 'True' : 'False', why, now)],
    ...(suspended || !startTime ? {} : { startTime: rfc3339(now) }),
  };
}

function has(status: Pick<Status, 'conditions'>, wanted: string): boolean {
  return status.conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false;
}

function condition(
  type: string,
  status: 'True' | 'False',
  { reason, message }: Pick<JobVerdict, 'reason' | 'message'>,
  now: Date,
): Condition {
  const time = rfc3339(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

export interface JobVerdict {
  readonly kind: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

export function judgeJob(
  job: Job,
  status: Job['status'],
  count: PodCount,
  now: Date,
): JobVerdict | undefined {
  if (count.failJob) return failed('PodFailurePolicy', count.failJob);
  if (hasTooManyFailures(job, status, count)) {
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const { completions, activeDeadlineSeconds, suspend } = job.spec;
  const started = status.startTime ? Date.parse(status.startTime) : now.getTime();
  const isLate = now.getTime() - started >= (activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  if (isLate && !suspend) {
    return failed('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  const lost = judgeIndexes(job, status, count);
  if (lost) return lost;
  const met = metSuccessPolicy(job, status);
  if (met) return { kind: 'Complete', reason: 'SuccessPolicy', message: met };
  const succeeded = status.succeeded ?? 0;
  const reached =
    completions === undefined ? succeeded > 0 && count.active.length === 0 : succeeded >= completions;
  return reached
    ? { kind: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
    : undefined;
}

function failed(reason: string, message: string): JobVerdict {
  return { kind: 'Failed', reason, message };
}

/** With a backoff limit for each index, the Job fails when every index is over and some have failed. */
function judgeIndexes(
  { spec }: Job,
  status: Job['status'],
  { failedIndexes = [] }: PodCount,
): JobVerdict | undefined {
  const { maxFailedIndexes, completions = 0 } = spec;
  if (maxFailedIndexes !== undefined && failedIndexes.length > maxFailedIndexes) {
    return failed(
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    );
  }
  const isOver = failedIndexes.length > 0 && failedIndexes.length + (status.succeeded ?? 0) >= completions;
  return isOver ? failed('FailedIndexes', 'Job has failed indexes') : undefined;
}

/** At every sync, of every Job: failures that await their replacement count, and a limit that was lowered takes effect at once. */
function hasTooManyFailures(job: Job, status: Job['status'], count: PodCount): boolean {
  const { backoffLimit = 6 } = job.spec;
  const held = [...count.held.values()].filter((pod) => !isIgnored(job, pod));
  return (status.failed ?? 0) + held.length > backoffLimit || tooManyRestarts(job, count, backoffLimit);
}

/**
 * With OnFailure, restarts by the kubelet count as retries, summed over all containers of the pods that have
 * not ended, even of those that are being deleted.
 */
function tooManyRestarts(job: Job, { active, terminating }: PodCount, backoffLimit: number): boolean {
  if (job.spec.template.spec.restartPolicy !== 'OnFailure') return false;
  const restarts = [...active, ...terminating]
    .flatMap(({ status }) => [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}
