import type { Condition, ContainerStatus, Pod } from '../objects.ts';
import { rfc3339 } from '../store.ts';
import type { Role } from './container-status.ts';
import { restartsAfter } from './steps.ts';

export const HOST_IP = '10.99.0.1';

export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

interface PodFacts {
  readonly containers: readonly { readonly role: Role; readonly status: ContainerStatus }[];
  readonly podIP: string | undefined;
  readonly sandboxReady: boolean;
  /** Why the kubelet ends the pod, if the status must say so. */
  readonly failure: PodFailure | undefined;
  /** Whether the pod is ending or has ended for good. */
  readonly terminal: boolean;
  /** Whether all containers are gone, so that the final phase may be shown. */
  readonly over: boolean;
  readonly now: Date;
}

/**
 * The pod's next status. After all containers have ended, the phase remains Running for about a second: the
 * kubelet writes a final phase only once nothing of the pod is left.
 */
export function nextPodStatus(pod: Pod, facts: PodFacts): Pod['status'] {
  const of = (...roles: Role[]) =>
    facts.containers.filter(({ role }) => roles.includes(role)).map(({ status }) => status);
  const initStatuses = of('init', 'sidecar');
  // The kubelet sorts regular containers by name, and leaves init containers in the order of the spec.
  const statuses = of('main').sort((a, b) => (a.name < b.name ? -1 : 1));
  const ephemeral = of('ephemeral');

  const initialized = statuses.some(({ state, restartCount }) => !state.waiting || restartCount > 0);
  const seen = { initStatuses, statuses, initialized };
  const computed = podPhase(pod.spec, seen, facts.terminal);
  // An ended pod has a final phase, even if some of its containers never started.
  const isFailed = facts.failure || (facts.over && computed !== 'Succeeded');
  const phase = isFailed ? 'Failed' : computed;
  const isFinal = phase === 'Succeeded' || phase === 'Failed';
  const { sandboxReady, now } = facts;
  const conditions = podConditions(pod, { phase, sandboxReady, ...seen, now });

  return {
    observedGeneration: pod.metadata.generation ?? 1,
    phase: isFinal && !facts.over ? pod.status.phase : phase,
    conditions,
    ...(facts.failure && facts.over ? { message: facts.failure.message, reason: facts.failure.reason } : {}),
    hostIP: HOST_IP,
    hostIPs: [{ ip: HOST_IP }],
    ...(facts.podIP ? { podIP: facts.podIP, podIPs: [{ ip: facts.podIP }] } : {}),
    startTime: pod.status.startTime ?? rfc3339(facts.now),
    ...(initStatuses.length > 0 ? { initContainerStatuses: initStatuses } : {}),
    containerStatuses: statuses,
    qosClass: pod.status['qosClass'] ?? 'BestEffort',
    ...(ephemeral.length > 0 ? { ephemeralContainerStatuses: ephemeral } : {}),
    resources: {},
  };
}

interface Statuses {
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** Whether a regular container has started. The restart of a native sidecar then leaves the pod Running. */
  readonly initialized: boolean;
}

interface ConditionFacts extends Statuses {
  readonly phase: Phase;
  readonly sandboxReady: boolean;
  readonly now: Date;
}

type Phase = Pod['status']['phase'];

type Said = Pick<Condition, 'status' | 'reason' | 'message'>;

/**
 * The conditions that the kubelet writes. They follow the phase computed from the containers, which in the
 * last second of a pod is ahead of the phase in its status.
 */
function podConditions(pod: Pod, facts: ConditionFacts): Condition[] {
  const before = pod.status.conditions ?? [];
  const ready = readiness(pod.spec, facts);
  const wanted: readonly (Said & { type: string })[] = [
    { type: 'PodReadyToStartContainers', status: facts.sandboxReady ? 'True' : 'False' },
    { type: 'Initialized', ...initialization(pod.spec, facts) },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
  const others = before.filter(({ type }) => !wanted.some((each) => each.type === type));
  return [
    ...others,
    ...wanted.map(({ type, status, ...why }) => {
      const old = before.find((condition) => condition.type === type);
      return {
        type,
        observedGeneration: pod.metadata.generation ?? 1,
        status,
        lastProbeTime: null,
        lastTransitionTime:
          old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : rfc3339(facts.now),
        ...why,
      };
    }),
  ];
}

function readiness(spec: Pod['spec'], facts: ConditionFacts): Said {
  if (facts.phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (facts.phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const unready = [...sidecars, ...spec.containers]
    .map(({ name }) => name)
    .filter((name) => ![...facts.statuses, ...facts.initStatuses].some((it) => it.name === name && it.ready));
  if (unready.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
}

function initialization(spec: Pod['spec'], facts: ConditionFacts): Said {
  if (facts.phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (facts.initialized) return { status: 'True' };
  const incomplete = (spec.initContainers ?? [])
    .filter(({ name, restartPolicy }) => {
      const status = facts.initStatuses.find((it) => it.name === name);
      return restartPolicy === 'Always' ? !status?.started : !status?.ready;
    })
    .map(({ name }) => name);
  if (incomplete.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${incomplete.join(' ')}]`,
  };
}

/** Follows the kubelet's getPhase, which ignores how native sidecars and ephemeral containers ended. */
function podPhase(spec: Pod['spec'], facts: Statuses, isTerminal: boolean): Phase {
  const init = countInit(spec, facts.initStatuses);
  const { waiting, running, stopped, succeeded } = count(facts.statuses);
  if (init.failed > 0 && spec.restartPolicy === 'Never') return 'Failed';
  if (init.pending > 0 && !facts.initialized) return 'Pending';
  if (waiting > 0) return 'Pending';
  if (running > 0) return 'Running';
  if (stopped === 0) return 'Pending';
  if (isTerminal) return stopped === succeeded ? 'Succeeded' : 'Failed';
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
