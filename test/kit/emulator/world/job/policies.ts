import type { Job, Pod, PodFailurePolicyRule } from '../objects.ts';
import { readIndexes } from './indexes.ts';
import type { PodCount } from './status.ts';

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

/** What a Job does about a failed pod: counts it, ignores it, fails its index or fails. */
type FailureVerdict =
  | { readonly kind: 'Count' }
  | { readonly kind: 'Ignore' }
  | { readonly kind: 'FailIndex' }
  | { readonly kind: 'FailJob'; readonly message: string };

/** Applies the first matching rule of the podFailurePolicy. Without a match, the failed pod counts. */
export function judgeFailure(job: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (job.spec.podFailurePolicy?.rules ?? []).entries()) {
    const why = matches(rule, pod);
    if (!why) continue;
    switch (rule.action) {
      case 'Ignore':
        return { kind: 'Ignore' };
      case 'FailJob':
        return { kind: 'FailJob', message: `${why} matching FailJob rule at index ${index}` };
      case 'FailIndex':
        return { kind: 'FailIndex' };
      case 'Count':
        return { kind: 'Count' };
    }
  }
  return { kind: 'Count' };
}

function matches(rule: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { name, namespace } = pod.metadata;
  for (const wanted of rule.onPodConditions ?? []) {
    const found = pod.status.conditions?.some(
      ({ type, status }) => type === wanted.type && status === (wanted.status ?? 'True'),
    );
    if (found) return `Pod ${namespace}/${name} has condition ${wanted.type}`;
  }
  const { onExitCodes } = rule;
  if (!onExitCodes) return undefined;
  const statuses = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])];
  for (const status of statuses) {
    const code = status.state.terminated?.exitCode;
    // Exit code 0 is not a failure; rules do not apply to it.
    if (!code || (onExitCodes.containerName ?? status.name) !== status.name) continue;
    if (onExitCodes.values.includes(code) === (onExitCodes.operator === 'In')) {
      return `Container ${status.name} for pod ${namespace}/${name} failed with exit code ${code}`;
    }
  }
  return undefined;
}

/** The message of the first rule of the successPolicy that the succeeded indexes satisfy. */
function metSuccessPolicy({ spec }: Job, status: Job['status']): string | undefined {
  const succeeded = readIndexes(status.completedIndexes);
  if (succeeded.length === 0) return undefined;
  const met = (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined)
      return succeeded.length >= (succeededCount ?? Number.POSITIVE_INFINITY);
    const named = readIndexes(succeededIndexes);
    const among = named.filter((index) => succeeded.includes(index));
    return named.length > 0 && among.length >= (succeededCount ?? named.length);
  });
  return met === -1 ? undefined : `Matched rules at index ${met}`;
}
