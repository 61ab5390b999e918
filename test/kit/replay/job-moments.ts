import { isDeepStrictEqual } from 'node:util';
import type { Job, Pod } from '../emulator/index.ts';
import { type Aliases, normalise } from './normalise.ts';
import type { JobMoment, Recording, WholeMoment } from './recording.ts';

export function wholeMoment(job: Job, pods: readonly Pod[]): WholeMoment {
  const shown = ({ metadata, status }: Pod) => ({
    phase: status.phase,
    deleting: metadata.deletionTimestamp !== undefined,
    containers: (status.containerStatuses ?? []).map(({ name, image, containerID, restartCount, state }) => ({
      name,
      image,
      containerID: containerID?.slice(-8) ?? '',
      restartCount,
      state,
    })),
  });
  return { pods: Object.fromEntries(pods.map((pod) => [pod.metadata.name, shown(pod)])), job: job.status };
}

/** Of all that happened, what a recorder saw that looked now and then; everything, if it saw something else. */
export function asPolled(
  { timeline = [] }: Recording,
  moments: readonly WholeMoment[],
  aliases: Aliases,
): readonly WholeMoment[] {
  const known = (timeline: readonly WholeMoment[]) =>
    normalise(comparableMoments(timeline), aliases) as unknown[];
  const recorded = known(timeline as readonly WholeMoment[]);
  const replayed = known(moments);
  const seen: WholeMoment[] = [];
  let from = 0;
  for (const one of recorded) {
    const at = replayed.findIndex((other, index) => index >= from && isDeepStrictEqual(other, one));
    const moment = moments[at];
    if (!moment) return moments;
    seen.push(moment);
    from = at + 1;
  }
  return seen;
}

/** Container IDs only tell whether it is the same container; pods are compared by name. */
function comparableMoments(moments: readonly WholeMoment[]): readonly object[] {
  return moments.map(({ pods, job }) => ({
    job,
    pods: Object.entries(pods).map(([name, { containers, ...pod }]) => ({
      name,
      ...pod,
      containers: containers.map(({ containerID, ...container }) => container),
    })),
  }));
}

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
