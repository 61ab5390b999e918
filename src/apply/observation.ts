import type { Observation, PodReading, PodView } from '../types.ts';

/** What a reading of the pod says about one instance of one of its containers. */
export function observe(reading: PodReading, container: string, containerId: string): Observation {
  switch (reading.kind) {
    case 'Gone':
    case 'Replaced':
    case 'Unreadable':
      return reading;
    case 'Present':
      return observeContainer(reading.pod, container, containerId);
  }
}

function observeContainer(pod: PodView, name: string, id: string): Observation {
  const container = pod.containers.find((candidate) => candidate.name === name);
  if (!container) {
    return {
      kind: 'Unreadable',
      problem: { kind: 'Malformed', message: `the pod lost its container ${name}` },
    };
  }
  const { state, restartCount, lastExitCode } = container;
  switch (state.kind) {
    case 'Terminated':
      // Another instance that has ended is a restart all the same: the next one is on its way.
      if (container.id !== id) return { kind: 'Restarted', exitCode: lastExitCode, restartCount };
      return {
        kind: 'Exited',
        exitCode: state.exitCode,
        signal: state.signal,
        finishedAt: state.finishedAt,
      };
    case 'Running':
      return container.id === id
        ? { kind: 'Running' }
        : { kind: 'Restarted', exitCode: lastExitCode, restartCount };
    case 'Waiting':
      // It ended, and waits for its back-off (CrashLoopBackOff) or for its image.
      return { kind: 'Restarted', exitCode: lastExitCode, restartCount };
    case 'Unreported':
      return {
        kind: 'Unreadable',
        problem: { kind: 'Malformed', message: `no status for container ${name}` },
      };
  }
}
