import { isDeepStrictEqual } from 'node:util';
import { comparableMoments } from './job-moments.ts';
import type { JobMoment, WholeMoment } from './recording.ts';

/**
 * What is certain about a Job with many pods, however they come one after the other: how it began and ended,
 * and each time when the restarts of its pods that had not ended were at their most.
 */
export function milestones(timeline: unknown): unknown {
  const moments = (timeline ?? []) as readonly JobMoment[];
  const [first] = moments;
  if (!first?.pods) return timeline;
  if (!('restarts' in first)) return comparableMoments(timeline as readonly WholeMoment[]);
  const peaks = moments.filter(({ restarts }, index) => {
    const others = moments.slice(index + 1);
    const change = others.find((other) => other.restarts !== restarts);
    return restarts > (moments[index - 1]?.restarts ?? 0) && (change?.restarts ?? 0) < restarts;
  });
  const conditions = moments.map(({ job }) => job.conditions ?? []);
  return {
    first: withoutTime(first),
    peaks: peaks.map(({ pods, restarts }) => ({ pods, restarts })),
    conditions: conditions.filter((each, index) => !isDeepStrictEqual(each, conditions[index - 1])),
    phases: [...new Set(moments.flatMap(({ pods }) => Object.keys(pods)))].sort(),
    last: withoutTime(moments.at(-1) ?? first),
  };
}

function withoutTime({ ms, ...moment }: JobMoment) {
  return moment;
}
