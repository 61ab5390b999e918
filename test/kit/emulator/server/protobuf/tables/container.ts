// The containers of a pod.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, inline, list, message, pointer } from '../fields.ts';
import { flag, integer, text } from '../types.ts';
import { lifecycle, probe } from './handlers.ts';
import {
  appArmorProfile,
  localObjectReference,
  objectFieldSelector,
  resourceFieldSelector,
  resourceRequirements,
  seccompProfile,
  seLinuxOptions,
  windowsSecurityContextOptions,
} from './references.ts';

const containerPort = message('ContainerPort', {
  name: always(1, text),
  hostPort: always(2, integer),
  containerPort: always(3, integer),
  protocol: always(4, text),
  hostIP: always(5, text),
});

const configMapKeySelector = message('ConfigMapKeySelector', {
  localObjectReference: inline(1, localObjectReference),
  key: always(2, text),
  optional: pointer(3, flag),
});

const secretKeySelector = message('SecretKeySelector', {
  localObjectReference: inline(1, localObjectReference),
  key: always(2, text),
  optional: pointer(3, flag),
});

const fileKeySelector = message('FileKeySelector', {
  volumeName: always(1, text),
  path: always(2, text),
  key: always(3, text),
  optional: pointer(4, flag),
});

const envVarSource = message('EnvVarSource', {
  fieldRef: pointer(1, objectFieldSelector),
  resourceFieldRef: pointer(2, resourceFieldSelector),
  configMapKeyRef: pointer(3, configMapKeySelector),
  secretKeyRef: pointer(4, secretKeySelector),
  fileKeyRef: pointer(5, fileKeySelector),
});

const envVar = message('EnvVar', {
  name: always(1, text),
  value: always(2, text),
  valueFrom: pointer(3, envVarSource),
});

const configMapEnvSource = message('ConfigMapEnvSource', {
  localObjectReference: inline(1, localObjectReference),
  optional: pointer(2, flag),
});

const secretEnvSource = message('SecretEnvSource', {
  localObjectReference: inline(1, localObjectReference),
  optional: pointer(2, flag),
});

const envFromSource = message('EnvFromSource', {
  prefix: always(1, text),
  configMapRef: pointer(2, configMapEnvSource),
  secretRef: pointer(3, secretEnvSource),
});

const volumeMount = message('VolumeMount', {
  name: always(1, text),
  readOnly: always(2, flag),
  mountPath: always(3, text),
  subPath: always(4, text),
  mountPropagation: pointer(5, text),
  subPathExpr: always(6, text),
  recursiveReadOnly: pointer(7, text),
  bindMountOptions: list(8, text),
});

const volumeDevice = message('VolumeDevice', { name: always(1, text), devicePath: always(2, text) });

const capabilities = message('Capabilities', { add: list(1, text), drop: list(2, text) });

const securityContext = message('SecurityContext', {
  capabilities: pointer(1, capabilities),
  privileged: pointer(2, flag),
  seLinuxOptions: pointer(3, seLinuxOptions),
  runAsUser: pointer(4, integer),
  runAsNonRoot: pointer(5, flag),
  readOnlyRootFilesystem: pointer(6, flag),
  allowPrivilegeEscalation: pointer(7, flag),
  runAsGroup: pointer(8, integer),
  procMount: pointer(9, text),
  windowsOptions: pointer(10, windowsSecurityContextOptions),
  seccompProfile: pointer(11, seccompProfile),
  appArmorProfile: pointer(12, appArmorProfile),
});

const containerResizePolicy = message('ContainerResizePolicy', {
  resourceName: always(1, text),
  restartPolicy: always(2, text),
});

const containerRestartRuleOnExitCodes = message('ContainerRestartRuleOnExitCodes', {
  operator: always(1, text),
  values: list(2, integer),
});

const containerRestartRule = message('ContainerRestartRule', {
  action: always(1, text),
  exitCodes: pointer(2, containerRestartRuleOnExitCodes),
});

export const container = message('Container', {
  name: always(1, text),
  image: always(2, text),
  command: list(3, text),
  args: list(4, text),
  workingDir: always(5, text),
  ports: list(6, containerPort),
  env: list(7, envVar),
  resources: always(8, resourceRequirements),
  volumeMounts: list(9, volumeMount),
  livenessProbe: pointer(10, probe),
  readinessProbe: pointer(11, probe),
  lifecycle: pointer(12, lifecycle),
  terminationMessagePath: always(13, text),
  imagePullPolicy: always(14, text),
  securityContext: pointer(15, securityContext),
  stdin: always(16, flag),
  stdinOnce: always(17, flag),
  tty: always(18, flag),
  envFrom: list(19, envFromSource),
  terminationMessagePolicy: always(20, text),
  volumeDevices: list(21, volumeDevice),
  startupProbe: pointer(22, probe),
  resizePolicy: list(23, containerResizePolicy),
  restartPolicy: pointer(24, text),
  restartPolicyRules: list(25, containerRestartRule),
});

export const ephemeralContainer = message('EphemeralContainer', {
  ephemeralContainerCommon: inline(1, container),
  targetContainerName: always(2, text),
});
