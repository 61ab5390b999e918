import type { Container, ContainerState, ContainerStatus } from '../objects.ts';
import type { ContainerExit, RunningContainer, StartError } from '../runtime/runtime.ts';
import { rfc3339 } from '../store.ts';

type Terminated = NonNullable<ContainerState['terminated']>;

/** Init containers run to completion one after another; the others run in parallel. */
export type Role = 'init' | 'sidecar' | 'main' | 'ephemeral';

export function waitingStatus(container: Container, role: Role, reason: string): ContainerStatus {
  return {
    name: container.name,
    state: { waiting: { reason } },
    lastState: {},
    ready: false,
    restartCount: 0,
    image: container.image,
    imageID: '',
    ...(role === 'ephemeral' ? {} : { started: false }),
    ...mounts(container),
  };
}

export function runningStatus(
  before: ContainerStatus,
  container: Container,
  role: Role,
  instance: Pick<RunningContainer, 'id' | 'imageID' | 'user'>,
  startedAt: Date,
): ContainerStatus {
  return {
    name: container.name,
    state: { running: { startedAt: rfc3339(startedAt) } },
    lastState: before.lastState,
    ready: role === 'main' || role === 'sidecar',
    restartCount: before.restartCount,
    image: container.image,
    imageID: instance.imageID,
    containerID: `containerd://${instance.id}`,
    ...(role === 'ephemeral' ? {} : { started: true }),
    resources: {},
    ...mounts(container),
    user: {
      linux: { uid: instance.user.uid, gid: instance.user.gid, supplementalGroups: [instance.user.gid] },
    },
  };
}

export function terminatedStatus(
  status: ContainerStatus,
  role: Role,
  exit: ContainerExit,
  finishedAt: Date,
): ContainerStatus {
  return terminatedWith(status, role, {
    exitCode: exit.exitCode,
    reason: exit.exitCode === 0 ? 'Completed' : 'Error',
    ...(exit.message === undefined ? {} : { message: exit.message }),
    startedAt: status.state.running?.startedAt ?? rfc3339(finishedAt),
    finishedAt: rfc3339(finishedAt),
    ...(status.containerID ? { containerID: status.containerID } : {}),
  });
}

/** The status of a container that was created but could not start: exit code 128, startedAt in 1970. */
export function startErrorStatus(
  before: ContainerStatus,
  container: Container,
  role: Role,
  instance: Pick<RunningContainer, 'id' | 'imageID' | 'user'>,
  message: string,
  now: Date,
): ContainerStatus {
  return terminatedWith(runningStatus(before, container, role, instance, now), role, {
    exitCode: 128,
    reason: 'StartError',
    message,
    startedAt: '1970-01-01T00:00:00Z',
    finishedAt: rfc3339(now),
    containerID: `containerd://${instance.id}`,
  });
}

/** The status of a container that never started, once the pod has ended. */
export function unknownStatus(status: ContainerStatus, role: Role): ContainerStatus {
  return terminatedWith(status, role, {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
    startedAt: '1970-01-01T00:00:00Z',
    finishedAt: '1970-01-01T00:00:00Z',
  });
}

/**
 * The status of a container whose image cannot be pulled. No container was created, so no restart counts, and the image is that of
 * the last one. https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/kubelet_pods.go
 */
export function notPulledStatus(
  status: ContainerStatus,
  container: Container,
  lastState: ContainerState,
  error: StartError,
  again: boolean,
): ContainerStatus {
  const { reason, message } = error;
  const waiting = again
    ? {
        reason: 'ImagePullBackOff',
        message: `Back-off pulling image "${container.image}": ${reason}: ${message}`,
      }
    : { reason, message };
  const image = status.containerID ? status.image : container.image;
  return { ...status, image, state: { waiting }, lastState, ready: false, started: false };
}

/** The status of a container that waits for its restart: its exit moves to lastState. */
export function backOffStatus(status: ContainerStatus, message: string): ContainerStatus {
  return {
    ...restartedStatus(status),
    restartCount: status.restartCount,
    state: { waiting: { reason: 'CrashLoopBackOff', message } },
  };
}

/** The status of a container that could not start and is about to be tried again. */
export function startRetriedStatus(status: ContainerStatus): ContainerStatus {
  const { terminated } = status.state;
  if (!terminated) return status;
  const { message } = terminated;
  const waiting = { reason: 'RunContainerError', ...(message === undefined ? {} : { message }) };
  return { ...status, state: { waiting }, lastState: { terminated } };
}

/** The status of a container that waited for its next run, which will never come. */
export function givenUpStatus(status: ContainerStatus): ContainerStatus {
  const { terminated } = status.lastState;
  if (!status.state.waiting || !terminated) return status;
  return { ...status, state: { terminated }, lastState: {} };
}

export function restartedStatus(status: ContainerStatus): ContainerStatus {
  const { terminated } = status.state;
  return {
    ...status,
    lastState: terminated ? { terminated } : status.lastState,
    restartCount: status.restartCount + 1,
  };
}

function terminatedWith(status: ContainerStatus, role: Role, terminated: Terminated): ContainerStatus {
  return {
    ...status,
    state: { terminated },
    ready: role === 'init' && terminated.exitCode === 0,
    ...(role === 'ephemeral' ? {} : { started: false }),
  };
}

function mounts(container: Container): { volumeMounts?: unknown[] } {
  const volumeMounts = container['volumeMounts'] as
    | { name: string; mountPath: string; readOnly?: boolean }[]
    | undefined;
  if (!volumeMounts) return {};
  return {
    volumeMounts: volumeMounts.map(({ name, mountPath, readOnly }) => ({
      name,
      mountPath,
      ...(readOnly ? { readOnly, recursiveReadOnly: 'Disabled' } : {}),
    })),
  };
}
