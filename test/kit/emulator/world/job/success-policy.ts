import type { Job } from '../objects.ts';
import { readIndexes } from './completion-index.ts';

/** The message of the first rule of the successPolicy that the succeeded indexes satisfy. */
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
