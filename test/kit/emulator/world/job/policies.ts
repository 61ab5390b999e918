import type { Job, Pod, PodFailurePolicyRule } from '../objects.ts';
import { completionIndex, finishedAt, readIndexes } from './pods.ts';

type FailureVerdict =
  | { readonly kind: 'Count' | 'Ignore' | 'FailIndex' }
  | { readonly kind: 'FailJob'; readonly message: string };

/** Applies the first matching rule of the podFailurePolicy. Without a match, the failed pod counts. */
export function judgeFailure(job: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (job.spec.podFailurePolicy?.rules ?? []).entries()) {
    const why = matches(rule, pod);
    if (!why) continue;
    return rule.action === 'FailJob'
      ? { kind: 'FailJob', message: `${why} matching FailJob rule at index ${index}` }
      : { kind: rule.action };
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

export function metSuccessPolicy({ spec }: Job, status: Job['status']): string | undefined {
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

/** How often an index had failed before this pod, kept on the pod that replaces the failed one. */
const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** The indexes that have failed for good, if each index has a backoff limit of its own. */
export function failedIndexes(job: Job, failures: readonly Pod[]): readonly number[] | undefined {
  if (job.spec.backoffLimitPerIndex === undefined) return undefined;
  const failed = failures.filter((pod) => hasFailedItsIndex(job, pod)).map(completionIndex);
  return [...new Set([...readIndexes(job.status.failedIndexes), ...failed])].filter(
    (index) => index !== undefined,
  );
}

function hasFailedItsIndex(job: Job, pod: Pod): boolean {
  const { kind } = judgeFailure(job, pod);
  if (kind === 'FailIndex' || kind === 'Ignore') return kind === 'FailIndex';
  return numberIn(pod, FAILURES) >= (job.spec.backoffLimitPerIndex ?? 0);
}

/** The last failed pod of each index that is to be tried again: it is kept and counted when it is replaced. */
export function awaitingReplacement(
  job: Job,
  failures: readonly Pod[],
  isSettled: (index: number) => boolean,
): ReadonlyMap<number, Pod> {
  const last = new Map<number, Pod>();
  if (job.spec.backoffLimitPerIndex === undefined) return last;
  for (const pod of failures) {
    const index = completionIndex(pod);
    if (index === undefined || isSettled(index)) continue;
    const other = last.get(index);
    if (!other || allFailures(other) <= allFailures(pod)) last.set(index, pod);
  }
  return last;
}

export function failureAnnotations(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (job.spec.backoffLimitPerIndex === undefined) return {};
  if (!replaced) return { [FAILURES]: '0' };
  const ignores = judgeFailure(job, replaced).kind === 'Ignore';
  const ignored = numberIn(replaced, IGNORED) + (ignores ? 1 : 0);
  return {
    [FAILURES]: String(numberIn(replaced, FAILURES) + (ignores ? 0 : 1)),
    ...(ignored > 0 ? { [IGNORED]: String(ignored) } : {}),
  };
}

export function failuresUpTo(pod: Pod): { readonly inARow: number; readonly lastAt: number } {
  return { inARow: allFailures(pod) + 1, lastAt: finishedAt(pod) };
}

function allFailures(pod: Pod): number {
  return numberIn(pod, FAILURES) + numberIn(pod, IGNORED);
}

function numberIn({ metadata }: Pod, annotation: string): number {
  return Number(metadata.annotations?.[annotation] ?? 0);
}
