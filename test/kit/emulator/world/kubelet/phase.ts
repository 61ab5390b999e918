import type { ContainerStatus, Pod } from '../objects.ts';
import { restartsAfter } from './restart.ts';

type Phase = Pod['status']['phase'];

interface PhaseFacts {
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** Whether the pod is ending for good: deadline, deletion, or all containers done. */
  readonly terminal: boolean;
  /** Whether a regular container has started. The restart of a native sidecar then leaves the pod Running. */
  readonly initialized: boolean;
}

/** Follows the kubelet's getPhase, which ignores how native sidecars and ephemeral containers ended. */
export function podPhase(spec: Pod['spec'], facts: PhaseFacts): Phase {
  const init = countInit(spec, facts.initStatuses);
  const { waiting, running, stopped, succeeded } = count(facts.statuses);
  if (init.failed > 0 && spec.restartPolicy === 'Never') return 'Failed';
  if (init.pending > 0 && !facts.initialized) return 'Pending';
  if (waiting > 0) return 'Pending';
  if (running > 0) return 'Running';
  if (stopped === 0) return 'Pending';
  if (facts.terminal) return stopped === succeeded ? 'Succeeded' : 'Failed';
  if (facts.statuses.some((status) => willRestart(spec, status))) return 'Running';
  return stopped === succeeded ? 'Succeeded' : 'Failed';
}

function willRestart(spec: Pod['spec'], { name, state }: ContainerStatus): boolean {
  const container = spec.containers.find((each) => each.name === name);
  if (!container || !state.terminated) return state.waiting !== undefined;
  return restartsAfter(container, spec.restartPolicy, state.terminated.exitCode);
}

function count(statuses: readonly ContainerStatus[]) {
  const of = (test: (status: ContainerStatus) => boolean) => statuses.filter(test).length;
  return {
    running: of(({ state }) => state.running !== undefined),
    // A container in back-off is waiting, but counts as stopped because it has ended before.
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
