// The volumes of a pod.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, inline, list, map, message, pointer } from '../fields.ts';
import { flag, integer, quantity, text } from '../types.ts';
import {
  awsElasticBlockStoreVolumeSource,
  azureDiskVolumeSource,
  azureFileVolumeSource,
  cinderVolumeSource,
  gcePersistentDiskVolumeSource,
  photonPersistentDiskVolumeSource,
  vsphereVirtualDiskVolumeSource,
} from './cloud-volumes.ts';
import { labelSelector, objectMeta } from './meta.ts';
import {
  cephFSVolumeSource,
  fcVolumeSource,
  flexVolumeSource,
  flockerVolumeSource,
  glusterfsVolumeSource,
  iscsiVolumeSource,
  nfsVolumeSource,
  portworxVolumeSource,
  quobyteVolumeSource,
  rbdVolumeSource,
  scaleIOVolumeSource,
  storageOSVolumeSource,
} from './network-volumes.ts';
import {
  configMapVolumeSource,
  downwardAPIVolumeSource,
  projectedVolumeSource,
  secretVolumeSource,
} from './projected-volumes.ts';
import { localObjectReference } from './references.ts';

const hostPathVolumeSource = message('HostPathVolumeSource', {
  path: always(1, text),
  type: pointer(2, text),
});

const emptyDirVolumeSource = message('EmptyDirVolumeSource', {
  medium: always(1, text),
  sizeLimit: pointer(2, quantity),
  mode: pointer(3, integer),
});

const gitRepoVolumeSource = message('GitRepoVolumeSource', {
  repository: always(1, text),
  revision: always(2, text),
  directory: always(3, text),
});

const persistentVolumeClaimVolumeSource = message('PersistentVolumeClaimVolumeSource', {
  claimName: always(1, text),
  readOnly: always(2, flag),
});

const csiVolumeSource = message('CSIVolumeSource', {
  driver: always(1, text),
  readOnly: pointer(2, flag),
  fsType: pointer(3, text),
  volumeAttributes: map(4, text),
  nodePublishSecretRef: pointer(5, localObjectReference),
});

const volumeResourceRequirements = message('VolumeResourceRequirements', {
  limits: map(1, quantity),
  requests: map(2, quantity),
});

const typedLocalObjectReference = message('TypedLocalObjectReference', {
  apiGroup: pointer(1, text),
  kind: always(2, text),
  name: always(3, text),
});

const typedObjectReference = message('TypedObjectReference', {
  apiGroup: pointer(1, text),
  kind: always(2, text),
  name: always(3, text),
  namespace: pointer(4, text),
});

const persistentVolumeClaimSpec = message('PersistentVolumeClaimSpec', {
  accessModes: list(1, text),
  resources: always(2, volumeResourceRequirements),
  volumeName: always(3, text),
  selector: pointer(4, labelSelector),
  storageClassName: pointer(5, text),
  volumeMode: pointer(6, text),
  dataSource: pointer(7, typedLocalObjectReference),
  dataSourceRef: pointer(8, typedObjectReference),
  volumeAttributesClassName: pointer(9, text),
});

const persistentVolumeClaimTemplate = message('PersistentVolumeClaimTemplate', {
  metadata: always(1, objectMeta),
  spec: always(2, persistentVolumeClaimSpec),
});

const ephemeralVolumeSource = message('EphemeralVolumeSource', {
  volumeClaimTemplate: pointer(1, persistentVolumeClaimTemplate),
});

const imageVolumeSource = message('ImageVolumeSource', {
  reference: always(1, text),
  pullPolicy: always(2, text),
});

const volumeSource = message('VolumeSource', {
  hostPath: pointer(1, hostPathVolumeSource),
  emptyDir: pointer(2, emptyDirVolumeSource),
  gcePersistentDisk: pointer(3, gcePersistentDiskVolumeSource),
  awsElasticBlockStore: pointer(4, awsElasticBlockStoreVolumeSource),
  gitRepo: pointer(5, gitRepoVolumeSource),
  secret: pointer(6, secretVolumeSource),
  nfs: pointer(7, nfsVolumeSource),
  iscsi: pointer(8, iscsiVolumeSource),
  glusterfs: pointer(9, glusterfsVolumeSource),
  persistentVolumeClaim: pointer(10, persistentVolumeClaimVolumeSource),
  rbd: pointer(11, rbdVolumeSource),
  flexVolume: pointer(12, flexVolumeSource),
  cinder: pointer(13, cinderVolumeSource),
  cephfs: pointer(14, cephFSVolumeSource),
  flocker: pointer(15, flockerVolumeSource),
  downwardAPI: pointer(16, downwardAPIVolumeSource),
  fc: pointer(17, fcVolumeSource),
  azureFile: pointer(18, azureFileVolumeSource),
  configMap: pointer(19, configMapVolumeSource),
  vsphereVolume: pointer(20, vsphereVirtualDiskVolumeSource),
  quobyte: pointer(21, quobyteVolumeSource),
  azureDisk: pointer(22, azureDiskVolumeSource),
  photonPersistentDisk: pointer(23, photonPersistentDiskVolumeSource),
  portworxVolume: pointer(24, portworxVolumeSource),
  scaleIO: pointer(25, scaleIOVolumeSource),
  projected: pointer(26, projectedVolumeSource),
  storageos: pointer(27, storageOSVolumeSource),
  csi: pointer(28, csiVolumeSource),
  ephemeral: pointer(29, ephemeralVolumeSource),
  image: pointer(30, imageVolumeSource),
});

export const volume = message('Volume', { name: always(1, text), volumeSource: inline(2, volumeSource) });
