import type { Job } from '../objects.ts';
import type { PodCount } from './count-pods.ts';

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
  const { completions, backoffLimit = 6, activeDeadlineSeconds } = job.spec;
  const succeeded = status.succeeded ?? 0;
  const reached =
    completions === undefined ? succeeded > 0 && count.active.length === 0 : succeeded >= completions;
  if (reached) {
    return {
      kind: 'Complete',
      reason: 'CompletionsReached',
      message: 'Reached expected number of succeeded pods',
    };
  }
  if (count.failJob) return { kind: 'Failed', reason: 'PodFailurePolicy', message: count.failJob };
  const failed = status.failed ?? 0;
  if (failed > backoffLimit || tooManyRestarts(job, count, backoffLimit)) {
    return {
      kind: 'Failed',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    };
  }
  const started = status.startTime ? Date.parse(status.startTime) : now.getTime();
  if (activeDeadlineSeconds !== undefined && now.getTime() - started >= activeDeadlineSeconds * 1000) {
    return {
      kind: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Job was active longer than specified deadline',
    };
  }
  return undefined;
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
