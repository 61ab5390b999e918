import type { Job, Pod } from '../objects.ts';

/** Where an Indexed Job's pods carry their index: as a label and as an annotation. */
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

/** The index of a pod of an Indexed Job. */
export function completionIndex(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[COMPLETION_INDEX];
  return text === undefined ? undefined : Number(text);
}

/** The indexes in `status.completedIndexes`, as `0-2,5` has them. */
export function readIndexes(text: string | undefined): number[] {
  if (!text) return [];
  return text.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

/** The other way: sorted, and with neighbours as ranges. */
export function writeIndexes(indexes: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** The lowest indexes that neither succeeded nor have a pod at work. */
export function openIndexes(job: Job, busy: readonly Pod[], count: number): number[] {
  const taken = new Set([...readIndexes(job.status.completedIndexes), ...busy.map(completionIndex)]);
  const all = Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index);
  return all.filter((index) => !taken.has(index)).slice(0, count);
}
