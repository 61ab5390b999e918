import type { PodView } from '../../model/pod.ts';
import type { PodReading } from '../../model/reading.ts';
import type { Candidate } from '../../model/verdict.ts';
import type { ApplyContext } from '../context.ts';

/** What the readings of a pod have shown so far. A pod that is gone at the end was often seen to end before. */
export interface Seen {
  /** Of the last reading; undefined if there was none. */
  readonly phase: string | undefined;
  /** Whether a sidecar ended with another code than 0, or was started again under OnFailure, which its Job counts. */
  readonly hasEndedUnclean: boolean;
  /** Whether it was drained, preempted or evicted. */
  readonly isDisrupted: boolean;
  /** Whether it was being deleted although no sidecar of it had ended unclean. */
  readonly isDeletedFirst: boolean;
}

export const nothingSeen: Seen = {
  phase: undefined,
  hasEndedUnclean: false,
  isDisrupted: false,
  isDeletedFirst: false,
};

/** What is known after one more reading. */
export function see(before: Seen, candidate: Candidate, reading: PodReading): Seen {
  if (reading.kind !== 'Present') return before;
  const { pod } = reading;
  const hasEndedUnclean = before.hasEndedUnclean || showsUncleanEnd(candidate, pod);
  return {
    phase: pod.phase,
    hasEndedUnclean,
    isDisrupted: before.isDisrupted || pod.disrupted,
    isDeletedFirst: before.isDeletedFirst || (pod.deleting && !hasEndedUnclean),
  };
}

function showsUncleanEnd({ sidecars }: Candidate, { containers, restartPolicy }: PodView): boolean {
  return sidecars.some(({ container: { name, restartCount } }) => {
    const now = containers.find((container) => container.name === name);
    if (!now) return false;
    if (restartPolicy === 'OnFailure' && now.restartCount > restartCount) return true;
    return now.state.kind === 'Terminated' && now.state.exitCode !== 0;
  });
}

export interface Witness {
  /** The same context, of which every reading of the pod is seen. */
  readonly context: ApplyContext;
  seen(): Seen;
  /** The last reading of the pod; undefined if there was none. */
  last(): PodReading | undefined;
}

/** Looks on while a pod is swept. */
export function witness(candidate: Candidate, context: ApplyContext): Witness {
  const { cluster, poller } = context;
  let seen = nothingSeen;
  let last: PodReading | undefined;
  const note = (reading: PodReading) => {
    seen = see(seen, candidate, reading);
    last = reading;
    return reading;
  };
  return {
    context: {
      ...context,
      cluster: { ...cluster, readPod: async (ref, abort) => note(await cluster.readPod(ref, abort)) },
      poller: {
        until: (pod, isEnough, ...times) => poller.until(pod, (reading) => isEnough(note(reading)), ...times),
      },
    },
    seen: () => seen,
    last: () => last,
  };
}
