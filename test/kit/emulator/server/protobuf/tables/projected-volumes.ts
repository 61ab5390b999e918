// Volumes with what the API server knows.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, inline, list, map, message, pointer } from '../fields.ts';
import { flag, integer, text } from '../types.ts';
import { labelSelector } from './meta.ts';
import { keyToPath, localObjectReference, objectFieldSelector, resourceFieldSelector } from './references.ts';

export const secretVolumeSource = message('SecretVolumeSource', {
  secretName: always(1, text),
  items: list(2, keyToPath),
  defaultMode: pointer(3, integer),
  optional: pointer(4, flag),
  defaultUser: pointer(5, integer),
});

export const configMapVolumeSource = message('ConfigMapVolumeSource', {
  localObjectReference: inline(1, localObjectReference),
  items: list(2, keyToPath),
  defaultMode: pointer(3, integer),
  optional: pointer(4, flag),
  defaultUser: pointer(5, integer),
});

const downwardAPIVolumeFile = message('DownwardAPIVolumeFile', {
  path: always(1, text),
  fieldRef: pointer(2, objectFieldSelector),
  resourceFieldRef: pointer(3, resourceFieldSelector),
  mode: pointer(4, integer),
  user: pointer(5, integer),
});

export const downwardAPIVolumeSource = message('DownwardAPIVolumeSource', {
  items: list(1, downwardAPIVolumeFile),
  defaultMode: pointer(2, integer),
  defaultUser: pointer(3, integer),
});

const secretProjection = message('SecretProjection', {
  localObjectReference: inline(1, localObjectReference),
  items: list(2, keyToPath),
  optional: pointer(4, flag),
});

const downwardAPIProjection = message('DownwardAPIProjection', { items: list(1, downwardAPIVolumeFile) });

const configMapProjection = message('ConfigMapProjection', {
  localObjectReference: inline(1, localObjectReference),
  items: list(2, keyToPath),
  optional: pointer(4, flag),
});

const serviceAccountTokenProjection = message('ServiceAccountTokenProjection', {
  audience: always(1, text),
  expirationSeconds: pointer(2, integer),
  path: always(3, text),
  user: pointer(4, integer),
});

const clusterTrustBundleProjection = message('ClusterTrustBundleProjection', {
  name: pointer(1, text),
  signerName: pointer(2, text),
  labelSelector: pointer(3, labelSelector),
  path: always(4, text),
  optional: pointer(5, flag),
  user: pointer(6, integer),
});

const podCertificateProjection = message('PodCertificateProjection', {
  signerName: always(1, text),
  keyType: always(2, text),
  maxExpirationSeconds: pointer(3, integer),
  credentialBundlePath: always(4, text),
  keyPath: always(5, text),
  certificateChainPath: always(6, text),
  userAnnotations: map(7, text),
  user: pointer(8, integer),
});

const volumeProjection = message('VolumeProjection', {
  secret: pointer(1, secretProjection),
  downwardAPI: pointer(2, downwardAPIProjection),
  configMap: pointer(3, configMapProjection),
  serviceAccountToken: pointer(4, serviceAccountTokenProjection),
  clusterTrustBundle: pointer(5, clusterTrustBundleProjection),
  podCertificate: pointer(6, podCertificateProjection),
});

export const projectedVolumeSource = message('ProjectedVolumeSource', {
  sources: list(1, volumeProjection),
  defaultMode: pointer(2, integer),
  defaultUser: pointer(3, integer),
});
