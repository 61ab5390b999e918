import type { Observation, PodReading } from '../../model/observation.ts';
import { type PodView, willRestart } from '../../model/pod.ts';

/** Which instance of a container is meant, and the image that was put in its place, if one was. */
export interface Watched {
  readonly container: string;
  readonly containerId: string;
  readonly swappedFor?: string | undefined;
}

/** What a reading of the pod says about one instance of one of its containers. */
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
  const { id, image, state, restartCount, lastExitCode } = container;
  const restarted: Observation = { kind: 'Restarted', exitCode: lastExitCode, restartCount };
  // After a swap the kubelet runs the no-op image once, whatever the restart policy: that is its end, not a restart.
  const isNoOp = swappedFor !== undefined && image === swappedFor && id !== containerId;
  switch (state.kind) {
    case 'Terminated':
      if (id !== containerId && !isNoOp) return restarted;
      // The old instance has ended, and the kubelet has not started the no-op image yet.
      if (swappedFor !== undefined && image === swappedFor && id === containerId) {
        return { kind: 'NotStarted', reason: 'ContainerCreating' };
      }
      // Between its end and its restart, for as long as the back-off lasts.
      if (!isNoOp && pod.phase === 'Running' && willRestart(container, pod.restartPolicy, state.exitCode)) {
        return { kind: 'Restarted', exitCode: state.exitCode, restartCount };
      }
      return {
        kind: 'Exited',
        exitCode: state.exitCode,
        signal: state.signal,
        finishedAt: state.finishedAt,
      };
    case 'Running':
      if (id === containerId) return { kind: 'Running' };
      return isNoOp ? { kind: 'Running', swapped: true } : restarted;
    case 'Waiting':
      // It ended, and waits for its back-off (CrashLoopBackOff) or for its image.
      return swappedFor !== undefined && image === swappedFor
        ? { kind: 'NotStarted', reason: state.reason }
        : restarted;
    case 'Unreported':
      return malformed(`no status for container ${name}`);
  }
}

function malformed(message: string): Observation {
  return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
}

/** Whether a reading shows that the watched instance no longer runs. */
export function hasEnded(reading: PodReading, watched: Watched): boolean {
  switch (observe(reading, watched).kind) {
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

export function isCleanEnd(seen: Observation): boolean {
  return seen.kind === 'Exited' && seen.exitCode === 0;
}

/** Whether finished work may run again because of this end. */
export function isUncleanEnd(seen: Observation): boolean {
  return seen.kind === 'Restarted' || (seen.kind === 'Exited' && seen.exitCode !== 0);
}
