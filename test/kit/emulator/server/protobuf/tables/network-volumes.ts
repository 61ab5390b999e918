// Volumes of other machines.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, list, map, message, pointer } from '../fields.ts';
import { flag, integer, text } from '../types.ts';
import { localObjectReference } from './references.ts';

export const nfsVolumeSource = message('NFSVolumeSource', {
  server: always(1, text),
  path: always(2, text),
  readOnly: always(3, flag),
});

export const iscsiVolumeSource = message('ISCSIVolumeSource', {
  targetPortal: always(1, text),
  iqn: always(2, text),
  lun: always(3, integer),
  iscsiInterface: always(4, text),
  fsType: always(5, text),
  readOnly: always(6, flag),
  portals: list(7, text),
  chapAuthDiscovery: always(8, flag),
  secretRef: pointer(10, localObjectReference),
  chapAuthSession: always(11, flag),
  initiatorName: pointer(12, text),
});

export const glusterfsVolumeSource = message('GlusterfsVolumeSource', {
  endpoints: always(1, text),
  path: always(2, text),
  readOnly: always(3, flag),
});

export const rbdVolumeSource = message('RBDVolumeSource', {
  monitors: list(1, text),
  image: always(2, text),
  fsType: always(3, text),
  pool: always(4, text),
  user: always(5, text),
  keyring: always(6, text),
  secretRef: pointer(7, localObjectReference),
  readOnly: always(8, flag),
});

export const flexVolumeSource = message('FlexVolumeSource', {
  driver: always(1, text),
  fsType: always(2, text),
  secretRef: pointer(3, localObjectReference),
  readOnly: always(4, flag),
  options: map(5, text),
});

export const cephFSVolumeSource = message('CephFSVolumeSource', {
  monitors: list(1, text),
  path: always(2, text),
  user: always(3, text),
  secretFile: always(4, text),
  secretRef: pointer(5, localObjectReference),
  readOnly: always(6, flag),
});

export const flockerVolumeSource = message('FlockerVolumeSource', {
  datasetName: always(1, text),
  datasetUUID: always(2, text),
});

export const fcVolumeSource = message('FCVolumeSource', {
  targetWWNs: list(1, text),
  lun: pointer(2, integer),
  fsType: always(3, text),
  readOnly: always(4, flag),
  wwids: list(5, text),
});

export const quobyteVolumeSource = message('QuobyteVolumeSource', {
  registry: always(1, text),
  volume: always(2, text),
  readOnly: always(3, flag),
  user: always(4, text),
  group: always(5, text),
  tenant: always(6, text),
});

export const portworxVolumeSource = message('PortworxVolumeSource', {
  volumeID: always(1, text),
  fsType: always(2, text),
  readOnly: always(3, flag),
});

export const scaleIOVolumeSource = message('ScaleIOVolumeSource', {
  gateway: always(1, text),
  system: always(2, text),
  secretRef: pointer(3, localObjectReference),
  sslEnabled: always(4, flag),
  protectionDomain: always(5, text),
  storagePool: always(6, text),
  storageMode: always(7, text),
  volumeName: always(8, text),
  fsType: always(9, text),
  readOnly: always(10, flag),
});

export const storageOSVolumeSource = message('StorageOSVolumeSource', {
  volumeName: always(1, text),
  volumeNamespace: always(2, text),
  fsType: always(3, text),
  readOnly: always(4, flag),
  secretRef: pointer(5, localObjectReference),
});
