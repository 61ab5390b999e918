import type { Job, Pod } from '../objects.ts';
import { finishedAt } from './pods.ts';
import { judgeFailure } from './policies.ts';

/** The label and annotation with the index of an Indexed Job's pod. */
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

/** The index of a pod of an Indexed Job. */
export function completionIndex(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[COMPLETION_INDEX];
  return text === undefined ? undefined : Number(text);
}

/** Parses `status.completedIndexes`, for example `0-2,5`. */
export function readIndexes(text: string | undefined): number[] {
  if (!text) return [];
  return text.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

/** Formats indexes for `status.completedIndexes`: sorted, three and more consecutive ones as ranges. */
export function writeIndexes(indexes: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([first, last]) => `${first}${last === first ? '' : `${separator(first, last)}${last}`}`)
    .join(',');
}

/** Kubernetes writes two neighbours as a list. */
function separator(first: number, last: number): string {
  return last === first + 1 ? ',' : '-';
}

/** The indexes that have neither succeeded nor failed and have no active pod, lowest first. */
export function openIndexes(job: Job, busy: readonly Pod[]): number[] {
  const { completedIndexes, failedIndexes } = job.status;
  const over = [...readIndexes(completedIndexes), ...readIndexes(failedIndexes)];
  const taken = new Set([...over, ...busy.map(completionIndex)]);
  const all = Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index);
  return all.filter((index) => !taken.has(index));
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
  switch (judgeFailure(job, pod).kind) {
    case 'FailIndex':
      return true;
    case 'Ignore':
      return false;
    case 'Count':
    case 'FailJob':
      return numberIn(pod, FAILURES) >= (job.spec.backoffLimitPerIndex ?? 0);
  }
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

/** The annotations of the pod that replaces a failed one, or of the first pod of its index. */
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

/** The failures that delay the pod which replaces this one. */
export function failuresUpTo(pod: Pod): { readonly inARow: number; readonly lastAt: number } {
  return { inARow: allFailures(pod) + 1, lastAt: finishedAt(pod) };
}

function allFailures(pod: Pod): number {
  return numberIn(pod, FAILURES) + numberIn(pod, IGNORED);
}

function numberIn({ metadata }: Pod, annotation: string): number {
  return Number(metadata.annotations?.[annotation] ?? 0);
}
