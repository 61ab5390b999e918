// Disks of clouds.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, message, pointer } from '../fields.ts';
import { flag, integer, text } from '../types.ts';
import { localObjectReference } from './references.ts';

export const gcePersistentDiskVolumeSource = message('GCEPersistentDiskVolumeSource', {
  pdName: always(1, text),
  fsType: always(2, text),
  partition: always(3, integer),
  readOnly: always(4, flag),
});

export const awsElasticBlockStoreVolumeSource = message('AWSElasticBlockStoreVolumeSource', {
  volumeID: always(1, text),
  fsType: always(2, text),
  partition: always(3, integer),
  readOnly: always(4, flag),
});

export const cinderVolumeSource = message('CinderVolumeSource', {
  volumeID: always(1, text),
  fsType: always(2, text),
  readOnly: always(3, flag),
  secretRef: pointer(4, localObjectReference),
});

export const azureFileVolumeSource = message('AzureFileVolumeSource', {
  secretName: always(1, text),
  shareName: always(2, text),
  readOnly: always(3, flag),
});

export const vsphereVirtualDiskVolumeSource = message('VsphereVirtualDiskVolumeSource', {
  volumePath: always(1, text),
  fsType: always(2, text),
  storagePolicyName: always(3, text),
  storagePolicyID: always(4, text),
});

export const azureDiskVolumeSource = message('AzureDiskVolumeSource', {
  diskName: always(1, text),
  diskURI: always(2, text),
  cachingMode: pointer(3, text),
  fsType: pointer(4, text),
  readOnly: pointer(5, flag),
  kind: pointer(6, text),
});

export const photonPersistentDiskVolumeSource = message('PhotonPersistentDiskVolumeSource', {
  pdID: always(1, text),
  fsType: always(2, text),
});
