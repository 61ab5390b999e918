import type { EndedMain, JudgedContainer } from '../model/verdict.ts';
import type { Millis } from '../util/time.ts';

/** A main and when it ended; empty if it has not ended, or the time is missing. */
export function toEndedMain({ container, because }: JudgedContainer): readonly EndedMain[] {
  const { name, image, state } = container;
  if (state.kind !== 'Terminated' || state.finishedAt === undefined) return [];
  return [{ name, image, because, exitCode: state.exitCode, endedAt: state.finishedAt }];
}

/** When the last main ended; undefined if there are none, or one has not ended, or a time is missing. */
export function lastEnd(mains: readonly JudgedContainer[]): Millis | undefined {
  const ended = mains.flatMap(toEndedMain);
  if (ended.length === 0 || ended.length < mains.length) return undefined;
  return ended.reduce((last, { endedAt }) => Math.max(last, endedAt), -Infinity);
}
