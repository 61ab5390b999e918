import type { Job, Pod } from '../objects.ts';

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
