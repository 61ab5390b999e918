import type { Container, ContainerStatus, Pod } from '../objects.ts';
import { type Role, waitingStatus } from './container-status.ts';

interface ContainerFacts {
  readonly role: Role;
  readonly status: ContainerStatus;
  readonly image: string | undefined;
}

type Step =
  | { readonly kind: 'Start' | 'Restart' | 'Replace'; readonly name: string }
  | { readonly kind: 'End' };

/** What the kubelet does next for a pod. A pure function. */
export function nextSteps(pod: Pod, facts: ReadonlyMap<string, ContainerFacts>): Step[] {
  const of = (container: Container) => stepFor(pod, container, facts.get(container.name));
  const steps: Step[] = [];

  for (const container of pod.spec.initContainers ?? []) {
    const step = of(container);
    if (step) steps.push(step);
    const state = facts.get(container.name)?.status.state;
    if (container.restartPolicy === 'Always') {
      if (!hasStarted(facts.get(container.name))) return steps;
    } else if (state?.terminated && !step) {
      if (state.terminated.exitCode !== 0) return [{ kind: 'End' }];
    } else {
      return steps;
    }
  }

  steps.push(...pod.spec.containers.flatMap((container) => of(container) ?? []));
  const ended = pod.spec.containers.every(
    (container) => facts.get(container.name)?.status.state.terminated && !of(container),
  );
  if (ended) return [{ kind: 'End' }];

  for (const container of pod.spec.ephemeralContainers ?? []) {
    if (facts.get(container.name)?.status.state.waiting) steps.push({ kind: 'Start', name: container.name });
  }
  return steps;
}

function stepFor(pod: Pod, container: Container, facts: ContainerFacts | undefined): Step | undefined {
  if (!facts) return undefined;
  const { name } = container;
  const { state } = facts.status;
  if (state.terminated) {
    const again = restarts(pod, facts.role, container, state.terminated.exitCode);
    return again ? { kind: 'Restart', name } : undefined;
  }
  // A changed image replaces the container, regardless of the restart policy.
  if (state.running) return container.image === facts.image ? undefined : { kind: 'Replace', name };
  return { kind: hasStarted(facts) ? 'Restart' : 'Start', name };
}

/** Whether a container of a pod that is not ending restarts after this exit code. */
export function restarts({ spec }: Pod, role: Role, container: Container, exitCode: number): boolean {
  // A completed init container does not restart, even if the pod's policy is Always.
  const isInit = role === 'init' && spec.restartPolicy === 'Always';
  return restartsAfter(container, isInit ? 'OnFailure' : spec.restartPolicy, exitCode);
}

function hasStarted(facts: ContainerFacts | undefined): boolean {
  return (
    facts !== undefined && (!facts.status.state.waiting || facts.status.lastState.terminated !== undefined)
  );
}

/** Whether a container restarts after this exit code. Its own policy takes precedence over the pod's. */
export function restartsAfter(
  container: Container,
  podPolicy: Pod['spec']['restartPolicy'],
  exitCode: number,
) {
  for (const { exitCodes } of container.restartPolicyRules ?? []) {
    if (!exitCodes) continue;
    const listed = exitCodes.values.includes(exitCode);
    if (listed === (exitCodes.operator === 'In')) return true;
  }
  const policy = container.restartPolicy ?? podPolicy;
  switch (policy) {
    case 'Always':
      return true;
    case 'OnFailure':
      return exitCode !== 0;
    case 'Never':
      return false;
  }
}

const LONGEST_BACK_OFF = 300;

/**
 * The seconds before the next restart: 0 the first time, then 10, 20, 40 ... 300. Running for twice the
 * longest wait resets them.
 */
export function nextBackOff(previous: number | undefined, ranForSeconds: number): number {
  const isFirst = previous === undefined || ranForSeconds > 2 * LONGEST_BACK_OFF;
  return isFirst ? 0 : nextPullBackOff(previous);
}

/** The seconds before the next attempt to pull an image: 10, 20, 40 ... 300. */
export function nextPullBackOff(previous = 0): number {
  return previous === 0 ? 10 : Math.min(previous * 2, LONGEST_BACK_OFF);
}

/**
 * The containers of an ending pod to stop now: first all but the native sidecars, then the sidecars one by
 * one in reverse order of their start.
 */
export function endOrder<T extends { readonly role: Role; readonly status: ContainerStatus }>(
  containers: readonly T[],
): T[] {
  const running = containers.filter(({ status }) => status.state.running);
  const served = running.filter(({ role }) => role !== 'sidecar');
  return served.length > 0 ? served : running.slice(-1);
}

export interface PodContainer {
  readonly role: Role;
  readonly container: Container;
  readonly status: ContainerStatus;
}

export function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
}

/** All containers of a pod in the order of its spec. Those without a status are waiting. */
export function containersOf(pod: Pod): PodContainer[] {
  const { initContainers, containers, ephemeralContainers = [] } = pod.spec;
  const statuses = statusesOf(pod);
  const reason = initContainers ? 'PodInitializing' : 'ContainerCreating';
  const of = (role: Role, container: Container): PodContainer => ({
    role,
    container,
    status:
      statuses.find(({ name }) => name === container.name) ??
      waitingStatus(container, role, role === 'ephemeral' ? 'ContainerCreating' : reason),
  });
  return [
    ...(initContainers ?? []).map((it) => of(it.restartPolicy === 'Always' ? 'sidecar' : 'init', it)),
    ...containers.map((it) => of('main', it)),
    ...ephemeralContainers.map((it) => of('ephemeral', it)),
  ];
}
