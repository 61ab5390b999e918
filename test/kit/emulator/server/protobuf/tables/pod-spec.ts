// The specification of a pod.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, list, map, message, pointer } from '../fields.ts';
import { flag, integer, quantity, text } from '../types.ts';
import { container, ephemeralContainer } from './container.ts';
import {
  appArmorProfile,
  localObjectReference,
  resourceRequirements,
  seccompProfile,
  seLinuxOptions,
  windowsSecurityContextOptions,
} from './references.ts';
import {
  affinity,
  podSchedulingGate,
  podSchedulingGroup,
  toleration,
  topologySpreadConstraint,
} from './scheduling.ts';
import { volume } from './volumes.ts';

const sysctl = message('Sysctl', { name: always(1, text), value: always(2, text) });

const podSecurityContext = message('PodSecurityContext', {
  seLinuxOptions: pointer(1, seLinuxOptions),
  runAsUser: pointer(2, integer),
  runAsNonRoot: pointer(3, flag),
  supplementalGroups: list(4, integer),
  fsGroup: pointer(5, integer),
  runAsGroup: pointer(6, integer),
  sysctls: list(7, sysctl),
  windowsOptions: pointer(8, windowsSecurityContextOptions),
  fsGroupChangePolicy: pointer(9, text),
  seccompProfile: pointer(10, seccompProfile),
  appArmorProfile: pointer(11, appArmorProfile),
  supplementalGroupsPolicy: pointer(12, text),
  seLinuxChangePolicy: pointer(13, text),
});

const hostAlias = message('HostAlias', { ip: always(1, text), hostnames: list(2, text) });

const podDNSConfigOption = message('PodDNSConfigOption', { name: always(1, text), value: pointer(2, text) });

const podDNSConfig = message('PodDNSConfig', {
  nameservers: list(1, text),
  searches: list(2, text),
  options: list(3, podDNSConfigOption),
});

const podReadinessGate = message('PodReadinessGate', { conditionType: always(1, text) });

const podOS = message('PodOS', { name: always(1, text) });

const podResourceClaim = message('PodResourceClaim', {
  name: always(1, text),
  resourceClaimName: pointer(3, text),
  resourceClaimTemplateName: pointer(4, text),
});

const evictionResponder = message('EvictionResponder', {
  name: always(1, text),
  priority: pointer(2, integer),
});

export const podSpec = message('PodSpec', {
  volumes: list(1, volume),
  containers: list(2, container),
  restartPolicy: always(3, text),
  terminationGracePeriodSeconds: pointer(4, integer),
  activeDeadlineSeconds: pointer(5, integer),
  dnsPolicy: always(6, text),
  nodeSelector: map(7, text),
  serviceAccountName: always(8, text),
  serviceAccount: always(9, text),
  nodeName: always(10, text),
  hostNetwork: always(11, flag),
  hostPID: always(12, flag),
  hostIPC: always(13, flag),
  securityContext: pointer(14, podSecurityContext),
  imagePullSecrets: list(15, localObjectReference),
  hostname: always(16, text),
  subdomain: always(17, text),
  affinity: pointer(18, affinity),
  schedulerName: always(19, text),
  initContainers: list(20, container),
  automountServiceAccountToken: pointer(21, flag),
  tolerations: list(22, toleration),
  hostAliases: list(23, hostAlias),
  priorityClassName: always(24, text),
  priority: pointer(25, integer),
  dnsConfig: pointer(26, podDNSConfig),
  shareProcessNamespace: pointer(27, flag),
  readinessGates: list(28, podReadinessGate),
  runtimeClassName: pointer(29, text),
  enableServiceLinks: pointer(30, flag),
  preemptionPolicy: pointer(31, text),
  overhead: map(32, quantity),
  topologySpreadConstraints: list(33, topologySpreadConstraint),
  ephemeralContainers: list(34, ephemeralContainer),
  setHostnameAsFQDN: pointer(35, flag),
  os: pointer(36, podOS),
  hostUsers: pointer(37, flag),
  schedulingGates: list(38, podSchedulingGate),
  resourceClaims: list(39, podResourceClaim),
  resources: pointer(40, resourceRequirements),
  hostnameOverride: pointer(41, text),
  schedulingGroup: pointer(43, podSchedulingGroup),
  evictionResponders: list(44, evictionResponder),
});
