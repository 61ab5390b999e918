import type { Condition, ContainerStatus, Pod } from '../objects.ts';
import { rfc3339 } from '../store.ts';

interface ConditionFacts {
  readonly phase: Pod['status']['phase'];
  readonly sandboxReady: boolean;
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  readonly now: Date;
}

const KUBELET_CONDITIONS = [
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
];

/**
 * The conditions that the kubelet writes. They follow the phase computed from the containers, which in the
 * last second of a pod is ahead of the phase in its status.
 */
export function podConditions(pod: Pod, facts: ConditionFacts): Condition[] {
  const before = pod.status.conditions ?? [];
  const ready = readiness(pod.spec, facts);
  const wanted: Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[] = [
    { type: 'PodReadyToStartContainers', status: facts.sandboxReady ? 'True' : 'False' },
    { type: 'Initialized', ...initialization(pod.spec, facts) },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
  const others = before.filter(({ type }) => !KUBELET_CONDITIONS.includes(type));
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

function readiness(
  spec: Pod['spec'],
  facts: ConditionFacts,
): Pick<Condition, 'status' | 'reason' | 'message'> {
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

function initialization(
  spec: Pod['spec'],
  facts: ConditionFacts,
): Pick<Condition, 'status' | 'reason' | 'message'> {
  if (facts.phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  const started = facts.statuses.some(({ state, restartCount }) => !state.waiting || restartCount > 0);
  if (started) return { status: 'True' };
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
