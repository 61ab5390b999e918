import { isDeepStrictEqual } from 'node:util';
import type { Job, Pod } from '../emulator/index.ts';
import { type Aliases, normalise } from './normalise.ts';
import type { Recording, WholeMoment } from './recording.ts';

/** A Job and its pods at one moment. */
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
  return {
    pods: Object.fromEntries(pods.map((pod) => [pod.metadata.name, shown(pod)])),
    job: job.status,
  };
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
export function comparableMoments(moments: readonly WholeMoment[]): readonly object[] {
  return moments.map(({ pods, job }) => ({
    job,
    pods: Object.entries(pods).map(([name, { containers, ...pod }]) => ({
      name,
      ...pod,
      containers: containers.map(({ containerID, ...container }) => container),
    })),
  }));
}
