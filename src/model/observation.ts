import type { Millis } from '../util/time.ts';
import type { ContainerView, PodView } from './pod.ts';
import type { Observation, PodReading } from './reading.ts';
import { willRestart } from './restarts.ts';
import type { Candidate } from './verdict.ts';

/** KILL leaves a program no choice: the node ran out of memory, or another client ended the pod. */
export const killed = 137;

/** Which instance of a container is meant, and the image that was put in its place, if one was. */
export interface Watched {
  readonly container: string;
  readonly containerId: string;
  readonly swappedFor?: string | undefined;
}

export function observe(reading: PodReading, watched: Watched): Observation {
  switch (reading.kind) {
    case 'Gone':
    case 'Replaced':
    case 'Unreadable':
      return reading;
    case 'Present':
      return observeContainer(reading.pod, watched);
  }
}

function observeContainer(pod: PodView, { container: name, containerId, swappedFor }: Watched): Observation {
  const container = pod.containers.find((candidate) => candidate.name === name);
  if (!container) return malformed(`the pod lost its container ${name}`);
  const { id, image, state, restartCount, lastExitCode, lastFinishedAt } = container;
  const last = { exitCode: lastExitCode, finishedAt: lastFinishedAt };
  const restarted: Observation = { kind: 'Restarted', ...last, restartCount };
  const isSwapped = swappedFor !== undefined && image === swappedFor;
  // After a swap the kubelet runs the no-op image once, whatever the restart policy: that is its end, not a restart.
  const isNoop = isSwapped && id !== undefined && id !== containerId;
  switch (state.kind) {
    case 'Terminated': {
      const { exitCode, signal, finishedAt } = state;
      // Of a container that the kubelet cannot find when its pod ends (ContainerStatusUnknown), there is no ID.
      if (id !== undefined && id !== containerId && !isNoop) return restarted;
      const ended: Observation = {
        kind: 'Exited',
        exitCode,
        signal,
        finishedAt,
        ...(isNoop && { swapped: true }),
        ...(isSwapped && !isNoop && exitCode !== 0 && { unstarted: true }),
      };
      // The kubelet starts nothing again in a pod that is being deleted.
      if (isNoop || pod.phase !== 'Running' || pod.deleting) return ended;
      const restarts = willRestart(container, pod.restartPolicy, exitCode);
      // The kubelet is about to start the no-op image, unless the container had ended before the swap (image-swap-after-own-end).
      if (isSwapped) {
        return { kind: 'NotStarted', reason: 'ContainerCreating', ...(!restarts && { ended: exitCode }) };
      }
      // Between its end and its restart, for as long as the back-off lasts.
      return restarts ? { kind: 'Restarted', exitCode, finishedAt, restartCount } : ended;
    }
    case 'Running':
      if (id === containerId) return { kind: 'Running' };
      return isNoop ? { kind: 'Running', swapped: true } : restarted;
    case 'Waiting':
      // It ended, and waits for its back-off (CrashLoopBackOff) or for its image.
      return isSwapped ? { kind: 'NotStarted', reason: state.reason } : restarted;
    case 'Unreported':
      return malformed(`no status for container ${name}`);
  }
}

function malformed(message: string): Observation {
  return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
}

/** Whether a reading shows that the watched instance no longer runs. */
export function hasEnded(reading: PodReading, watched: Watched): boolean {
  return isEnd(observe(reading, watched));
}

export function isEnd({ kind }: Observation): boolean {
  switch (kind) {
    case 'Running':
    case 'NotStarted':
    case 'Unreadable':
      return false;
    case 'Exited':
    case 'Restarted':
    case 'Gone':
    case 'Replaced':
      return true;
  }
}

/** Whichever instance of the container the pod has now. */
export function asItIsNow(watched: Watched, { containers }: PodView): Watched {
  const id = containers.find(({ name }) => name === watched.container)?.id;
  return id === undefined ? watched : { ...watched, containerId: id };
}

/** All that the readings of a pod have shown so far. A pod that is gone at the end was often seen to end before. */
export interface Seen {
  readonly last: PodReading | undefined;
  /** Of the last reading that had one. */
  readonly phase: string | undefined;
  /** Whether a sidecar ended with a code other than 0, or was started again under OnFailure, which its Job counts. */
  readonly hasEndedUnclean: boolean;
  /** Whether something else than its containers ended it. */
  readonly isDisrupted: boolean;
  /** Whether it was being deleted although no sidecar of it had ended unclean. */
  readonly isDeletedFirst: boolean;
  /** Whether its Job had counted it as failed because it was being deleted: it loses its finalizer then, before its containers end. */
  readonly isGivenUp: boolean;
}

export const nothingSeen: Seen = {
  last: undefined,
  phase: undefined,
  hasEndedUnclean: false,
  isDisrupted: false,
  isDeletedFirst: false,
  isGivenUp: false,
};

export function see(before: Seen, candidate: Candidate, reading: PodReading): Seen {
  if (reading.kind !== 'Present') return { ...before, last: reading };
  const { pod } = reading;
  const hasEndedUnclean = before.hasEndedUnclean || showsUncleanEnd(candidate, pod);
  const isUntracked = candidate.pod.awaitsJobTracking && !pod.awaitsJobTracking;
  return {
    last: reading,
    phase: pod.phase,
    hasEndedUnclean,
    isDisrupted: before.isDisrupted || pod.disrupted,
    isDeletedFirst: before.isDeletedFirst || (pod.deleting && !hasEndedUnclean),
    isGivenUp: before.isGivenUp || (pod.deleting && isUntracked && pod.phase === 'Running'),
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

/** Whether a reading is final: no phase is still to follow, no restart is still to come, the Job has counted it. */
export function isSettled(reading: PodReading, watched: readonly Watched[]): boolean {
  if (reading.kind !== 'Present') return reading.kind !== 'Unreadable';
  const { pod } = reading;
  if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return !pod.awaitsJobTracking;
  if (pod.containers.every(({ state }) => state.kind === 'Terminated')) return false;
  return !pod.containers.some((container) => isAboutToRestart(container, watched, pod));
}

function isAboutToRestart(container: ContainerView, watched: readonly Watched[], pod: PodView): boolean {
  const { name, id, state } = container;
  const one = watched.find((each) => each.container === name);
  return (
    one?.containerId === id &&
    state.kind === 'Terminated' &&
    willRestart(container, pod.restartPolicy, state.exitCode)
  );
}

/** The kubelet sets the phase 1 to 2 s after the last container ended, the Job controller counts it after that. */
export const timeToSettle: Millis = 10_000;
/**
 * The shortest recorded is 1.1 s until the phase, and with a Job another second until that has counted it. The end may have been
 * there for half a second when it was read.
 */
const soonest = { phase: 600, counted: 1_600 } as const;
/** What every native sidecar is left to end on TERM when it is its turn, however little is left of the grace period. */
const shortestGraceInTurn: Millis = 2_000;

/**
 * How long a pod may take from the end of its last sidecar to its phase. Native sidecars are told to end only after the regular
 * containers, one after the other within the pod's whole grace period.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination-flow
 */
export function settlingTime({ grace, nativeSidecars: { length } }: PodView): Millis {
  return timeToSettle + (length === 0 ? 0 : grace + length * shortestGraceInTurn);
}

/** When the pod may be settled at the earliest; undefined where that is not known. */
export function soonestSettled(reading: PodReading | undefined): Millis | undefined {
  if (reading?.kind !== 'Present') return undefined;
  const { phase, containers, awaitsJobTracking } = reading.pod;
  const hasJustEnded = phase === 'Running' && containers.every(({ state }) => state.kind === 'Terminated');
  if (!hasJustEnded) return undefined;
  return awaitsJobTracking ? soonest.counted : soonest.phase;
}
