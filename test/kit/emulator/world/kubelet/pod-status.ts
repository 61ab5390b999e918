import { isDeepStrictEqual } from 'node:util';
import type { ContainerStatus, Pod } from '../objects.ts';
import { rfc3339 } from '../store.ts';
import { podConditions } from './conditions.ts';
import type { Role } from './container-status.ts';
import { podPhase } from './phase.ts';

export const HOST_IP = '10.99.0.1';

/** Why the kubelet failed a pod. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

/** What the kubelet knows about a pod when it writes the status. */
export interface PodFacts {
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

/** Whether two statuses are equal, so that a write would change nothing. */
export function sameStatus(one: Pod['status'], other: Pod['status']): boolean {
  return isDeepStrictEqual(one, other);
}

/** An ended pod has a final phase, even if some of its containers never started. */
function finalPhase(phase: Pod['status']['phase'], over: boolean): Pod['status']['phase'] {
  return over && phase !== 'Succeeded' ? 'Failed' : phase;
}
