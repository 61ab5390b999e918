// What other parts of a pod refer to.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, list, map, message, pointer } from '../fields.ts';
import { flag, integer, quantity, text } from '../types.ts';

export const localObjectReference = message('LocalObjectReference', { name: always(1, text) });

export const keyToPath = message('KeyToPath', {
  key: always(1, text),
  path: always(2, text),
  mode: pointer(3, integer),
  user: pointer(4, integer),
});

export const objectFieldSelector = message('ObjectFieldSelector', {
  apiVersion: always(1, text),
  fieldPath: always(2, text),
});

export const resourceFieldSelector = message('ResourceFieldSelector', {
  containerName: always(1, text),
  resource: always(2, text),
  divisor: always(3, quantity),
});

const resourceClaim = message('ResourceClaim', { name: always(1, text), request: always(2, text) });

export const resourceRequirements = message('ResourceRequirements', {
  limits: map(1, quantity),
  requests: map(2, quantity),
  claims: list(3, resourceClaim),
});

export const seLinuxOptions = message('SELinuxOptions', {
  user: always(1, text),
  role: always(2, text),
  type: always(3, text),
  level: always(4, text),
});

export const windowsSecurityContextOptions = message('WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: pointer(1, text),
  gmsaCredentialSpec: pointer(2, text),
  runAsUserName: pointer(3, text),
  hostProcess: pointer(4, flag),
});

export const seccompProfile = message('SeccompProfile', {
  type: always(1, text),
  localhostProfile: pointer(2, text),
});

export const appArmorProfile = message('AppArmorProfile', {
  type: always(1, text),
  localhostProfile: pointer(2, text),
});
