// The status of a pod.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, list, map, message, pointer } from '../fields.ts';
import { integer, quantity, text, time } from '../types.ts';
import { containerStatus } from './container-status.ts';
import { resourceRequirements } from './references.ts';

const podCondition = message('PodCondition', {
  type: always(1, text),
  status: always(2, text),
  lastProbeTime: always(3, time),
  lastTransitionTime: always(4, time),
  reason: always(5, text),
  message: always(6, text),
  observedGeneration: always(7, integer),
});

const podIP = message('PodIP', { ip: always(1, text) });

const hostIP = message('HostIP', { ip: always(1, text) });

const podResourceClaimStatus = message('PodResourceClaimStatus', {
  name: always(1, text),
  resourceClaimName: pointer(2, text),
});

const containerExtendedResourceRequest = message('ContainerExtendedResourceRequest', {
  containerName: always(1, text),
  resourceName: always(2, text),
  requestName: always(3, text),
});

const podExtendedResourceClaimStatus = message('PodExtendedResourceClaimStatus', {
  requestMappings: list(1, containerExtendedResourceRequest),
  resourceClaimName: always(2, text),
});

const nodeAllocatableMappedResources = message('NodeAllocatableMappedResources', {
  name: always(1, text),
  quantity: pointer(2, quantity),
});

const nodeAllocatableOverheadResources = message('NodeAllocatableOverheadResources', {
  name: always(1, text),
  perPod: pointer(2, quantity),
  perContainer: pointer(3, quantity),
});

const nodeAllocatableResourceClaimStatus = message('NodeAllocatableResourceClaimStatus', {
  resourceClaimName: always(1, text),
  containers: list(2, text),
  mapping: list(4, nodeAllocatableMappedResources),
  overhead: list(5, nodeAllocatableOverheadResources),
});

const volumeHealthCondition = message('VolumeHealthCondition', {
  status: always(1, text),
  reason: always(2, text),
  message: always(3, text),
});

const podVolumeHealth = message('PodVolumeHealth', {
  name: always(1, text),
  healthConditions: list(2, volumeHealthCondition),
  lastTransitionTime: always(3, time),
});

export const podStatus = message('PodStatus', {
  phase: always(1, text),
  conditions: list(2, podCondition),
  message: always(3, text),
  reason: always(4, text),
  hostIP: always(5, text),
  podIP: always(6, text),
  startTime: pointer(7, time),
  containerStatuses: list(8, containerStatus),
  qosClass: always(9, text),
  initContainerStatuses: list(10, containerStatus),
  nominatedNodeName: always(11, text),
  podIPs: list(12, podIP),
  ephemeralContainerStatuses: list(13, containerStatus),
  resize: always(14, text),
  resourceClaimStatuses: list(15, podResourceClaimStatus),
  hostIPs: list(16, hostIP),
  observedGeneration: always(17, integer),
  extendedResourceClaimStatus: pointer(18, podExtendedResourceClaimStatus),
  allocatedResources: map(19, quantity),
  resources: pointer(20, resourceRequirements),
  nodeAllocatableResourceClaimStatuses: list(21, nodeAllocatableResourceClaimStatus),
  volumeHealth: list(22, podVolumeHealth),
});
