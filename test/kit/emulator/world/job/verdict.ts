import type { Job } from '../objects.ts';
import type { PodCount } from './count-pods.ts';
import { judgeFailure } from './failure-policy.ts';
import { metSuccessPolicy } from './success-policy.ts';

/** How a Job ends. */
export type JobVerdict =
  | { readonly kind: 'Complete'; readonly reason: string; readonly message: string }
  | { readonly kind: 'Failed'; readonly reason: string; readonly message: string };

/** Decides from the counted status whether the Job ends, and how. */
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
    ? {
        kind: 'Complete',
        reason: 'CompletionsReached',
        message: 'Reached expected number of succeeded pods',
      }
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
  const held = [...count.held.values()].filter((pod) => judgeFailure(job, pod).kind !== 'Ignore');
  return (status.failed ?? 0) + held.length > backoffLimit || tooManyRestarts(job, count, backoffLimit);
}

/**
 * With OnFailure, restarts by the kubelet count as retries, summed over all containers of the pods that have
 * not ended, even of those that are being deleted.
 */
function tooManyRestarts(
  job: Job,
  { active, terminating }: Pick<PodCount, 'active' | 'terminating'>,
  backoffLimit: number,
): boolean {
  if (job.spec.template.spec.restartPolicy !== 'OnFailure') return false;
  const restarts = [...active, ...terminating]
    .flatMap(({ status }) => [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}
