import type { Container, ContainerStatus, Pod } from '../objects.ts';
import { type Role, waitingStatus } from './container-status.ts';

/** A container of a pod with its role and status. */
export interface PodContainer {
  readonly role: Role;
  readonly container: Container;
  readonly status: ContainerStatus;
}

/** All containers of a pod in the order of its spec. Those without a status are waiting. */
export function containersOf(pod: Pod): PodContainer[] {
  const { initContainers, containers, ephemeralContainers = [] } = pod.spec;
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
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
