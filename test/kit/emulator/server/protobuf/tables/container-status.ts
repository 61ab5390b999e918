// The status of a container.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, list, map, message, pointer } from '../fields.ts';
import { flag, integer, quantity, text, time } from '../types.ts';
import { resourceRequirements } from './references.ts';

const containerStateWaiting = message('ContainerStateWaiting', {
  reason: always(1, text),
  message: always(2, text),
});

const containerStateRunning = message('ContainerStateRunning', { startedAt: always(1, time) });

const containerStateTerminated = message('ContainerStateTerminated', {
  exitCode: always(1, integer),
  signal: always(2, integer),
  reason: always(3, text),
  message: always(4, text),
  startedAt: always(5, time),
  finishedAt: always(6, time),
  containerID: always(7, text),
});

const containerState = message('ContainerState', {
  waiting: pointer(1, containerStateWaiting),
  running: pointer(2, containerStateRunning),
  terminated: pointer(3, containerStateTerminated),
});

const imageVolumeStatus = message('ImageVolumeStatus', { imageRef: always(1, text) });

const volumeStatus = message('VolumeStatus', { image: pointer(1, imageVolumeStatus) });

const volumeMountStatus = message('VolumeMountStatus', {
  name: always(1, text),
  mountPath: always(2, text),
  readOnly: always(3, flag),
  recursiveReadOnly: pointer(4, text),
  volumeStatus: pointer(5, volumeStatus),
});

const linuxContainerUser = message('LinuxContainerUser', {
  uid: always(1, integer),
  gid: always(2, integer),
  supplementalGroups: list(3, integer),
});

const containerUser = message('ContainerUser', { linux: pointer(1, linuxContainerUser) });

const resourceHealth = message('ResourceHealth', {
  resourceID: always(1, text),
  health: always(2, text),
  message: pointer(6, text),
});

const resourceStatus = message('ResourceStatus', {
  name: always(1, text),
  resources: list(2, resourceHealth),
});

export const containerStatus = message('ContainerStatus', {
  name: always(1, text),
  state: always(2, containerState),
  lastState: always(3, containerState),
  ready: always(4, flag),
  restartCount: always(5, integer),
  image: always(6, text),
  imageID: always(7, text),
  containerID: always(8, text),
  started: pointer(9, flag),
  allocatedResources: map(10, quantity),
  resources: pointer(11, resourceRequirements),
  volumeMounts: list(12, volumeMountStatus),
  user: pointer(13, containerUser),
  allocatedResourcesStatus: list(14, resourceStatus),
  stopSignal: pointer(15, text),
});
