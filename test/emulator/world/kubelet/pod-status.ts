import { isDeepStrictEqual } from 'node:util';
import type { ContainerStatus, Pod } from '../objects.ts';
import { rfc3339 } from '../store.ts';
import { podConditions } from './conditions.ts';
import type { Role } from './container-status.ts';
import { podPhase } from './phase.ts';

export const HOST_IP = '10.99.0.1';

/** Why the kubelet gave a pod up. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

/** What the kubelet knows of a pod when it writes its status. */
export interface PodFacts {
  readonly containers: readonly { readonly role: Role; readonly status: ContainerStatus }[];
  readonly podIP: string | undefined;
  readonly sandboxReady: boolean;
  /** Why the kubelet ends the pod, when that is for the status to tell. */
  readonly failure: PodFailure | undefined;
  /** The pod is being ended, or has ended, for good. */
  readonly terminal: boolean;
  /** All containers are gone and the final phase may be shown. */
  readonly over: boolean;
  readonly now: Date;
}

/**
 * The pod's next status. A pod whose containers have all ended is shown Running for another second or so: the
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
  const phase = facts.failure
    ? 'Failed'
    : finalPhase(
        podPhase(pod.spec, { initStatuses, statuses, terminal: facts.terminal, initialized }),
        facts.over,
      );
  const isFinal = phase === 'Succeeded' || phase === 'Failed';
  const shownPhase = isFinal && !facts.over ? pod.status.phase : phase;
  const conditions = podConditions(pod, {
    phase,
    sandboxReady: facts.sandboxReady,
    initStatuses,
    statuses,
    now: facts.now,
  });

  return {
    observedGeneration: pod.metadata.generation ?? 1,
    phase: shownPhase,
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

/** Whether writing this status would change nothing. */
export function sameStatus(one: Pod['status'], other: Pod['status']): boolean {
  return isDeepStrictEqual(one, other);
}

/** A pod that is over has a final phase, also when some of its containers never got to start. */
function finalPhase(phase: Pod['status']['phase'], over: boolean): Pod['status']['phase'] {
  return over && phase !== 'Succeeded' ? 'Failed' : phase;
}
