import type { EndedMain, JudgedContainer, Millis } from '../vocabulary.ts';

/** A main with the time it ended at; none when it has not ended or does not say when. */
export function toEndedMain({ container, because }: JudgedContainer): readonly EndedMain[] {
  const { name, image, state } = container;
  if (state.kind !== 'Terminated' || state.finishedAt === undefined) return [];
  return [{ name, image, because, exitCode: state.exitCode, endedAt: state.finishedAt }];
}

/** When the last of the mains ended; NaN unless every one says when. */
export function lastEnd(mains: readonly JudgedContainer[]): Millis {
  const ended = mains.flatMap(toEndedMain);
  return ended.length === mains.length ? Math.max(...ended.map(({ endedAt }) => endedAt)) : Number.NaN;
}
