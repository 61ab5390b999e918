import type { ContainerStatus, Pod } from '../objects.ts';

type Phase = Pod['status']['phase'];

interface PhaseFacts {
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** The kubelet has given the pod up: deadline, deletion, or every container ended for good. */
  readonly terminal: boolean;
  /** A regular container has been started: a restart of a native sidecar no longer makes the pod Pending. */
  readonly initialized: boolean;
}

/** The kubelet's getPhase. Native sidecars and ephemeral containers have no say in how the pod ended. */
export function podPhase(spec: Pod['spec'], facts: PhaseFacts): Phase {
  const init = countInit(spec, facts.initStatuses);
  const { waiting, running, stopped, succeeded } = count(facts.statuses);
  if (init.failed > 0 && spec.restartPolicy === 'Never') return 'Failed';
  if (init.pending > 0 && !facts.initialized) return 'Pending';
  if (waiting > 0) return 'Pending';
  if (running > 0) return 'Running';
  if (stopped === 0) return 'Pending';
  if (facts.terminal) return stopped === succeeded ? 'Succeeded' : 'Failed';
  if (spec.restartPolicy === 'Always') return 'Running';
  if (stopped === succeeded) return 'Succeeded';
  return spec.restartPolicy === 'Never' ? 'Failed' : 'Running';
}

function count(statuses: readonly ContainerStatus[]) {
  const of = (test: (status: ContainerStatus) => boolean) => statuses.filter(test).length;
  return {
    running: of(({ state }) => state.running !== undefined),
    // A container in back-off is waiting, but it has ended before: it counts as stopped.
    stopped: of(({ state, lastState }) =>
      Boolean(state.terminated ?? (state.waiting && lastState.terminated)),
    ),
    waiting: of(({ state, lastState }) => state.waiting !== undefined && !lastState.terminated),
    succeeded: of(({ state }) => state.terminated?.exitCode === 0),
  };
}

function countInit(spec: Pod['spec'], statuses: readonly ContainerStatus[]) {
  const endings = (spec.initContainers ?? []).map((container) => {
    const status = statuses.find(({ name }) => name === container.name);
    if (container.restartPolicy === 'Always') return status?.started ? 'done' : 'pending';
    const ended = status?.state.terminated ?? (status?.state.waiting && status.lastState.terminated);
    if (!ended) return 'pending';
    return ended.exitCode === 0 ? 'done' : 'failed';
  });
  return {
    pending: endings.filter((ending) => ending === 'pending').length,
    failed: endings.filter((ending) => ending === 'failed').length,
  };
}
