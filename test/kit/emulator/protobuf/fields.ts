/**
 * The fields of the pods in these tests and of a refusal: the name in JSON, the number and the
 * type; a field that is missing here is an error. Go always writes a plain value, empty ones included; `?` is a pointer, which it
 * writes unless it is nil; `[]` is a list, `{}` a map from texts, and `+` a struct that Go embeds.
 * https://github.com/kubernetes/api/blob/master/core/v1/generated.proto
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/generated.proto
 */
export const fieldsOfMessages = `
TypeMeta: apiVersion 1 text, kind 2 text
ListMeta: selfLink 1 text, resourceVersion 2 text, continue 3 text, remainingItemCount 4 integer?
StatusCause: reason 1 text, message 2 text, field 3 text
StatusDetails: name 1 text, group 2 text, kind 3 text, causes 4 StatusCause[], retryAfterSeconds 5 integer, uid 6 text
Status: metadata 1 ListMeta, status 2 text, message 3 text, reason 4 text, details 5 StatusDetails?, code 6 integer
ManagedFieldsEntry: manager 1 text, operation 2 text, apiVersion 3 text, time 4 time?, fieldsType 6 text,
  fieldsV1 7 rawJson?, subresource 8 text
OwnerReference: kind 1 text, name 3 text, uid 4 text, apiVersion 5 text, controller 6 flag?,
  blockOwnerDeletion 7 flag?
ObjectMeta: name 1 text, generateName 2 text, namespace 3 text, selfLink 4 text, uid 5 text, resourceVersion 6 text,
  generation 7 integer, creationTimestamp 8 time, deletionTimestamp 9 time?, deletionGracePeriodSeconds 10 integer?,
  labels 11 text{}, annotations 12 text{}, ownerReferences 13 OwnerReference[], finalizers 14 text[],
  managedFields 17 ManagedFieldsEntry[]
LocalObjectReference: name 1 text
VolumeMount: name 1 text, readOnly 2 flag, mountPath 3 text, subPath 4 text, subPathExpr 6 text,
  recursiveReadOnly 7 text?
HTTPGetAction: path 1 text, port 2 intOrText, host 3 text, scheme 4 text, protocol 6 text?
ExecAction: command 1 text[]
TCPSocketAction: port 1 intOrText, host 2 text
GRPCAction: port 1 integer, service 2 text?, mode 3 text?
ProbeHandler: exec 1 ExecAction?, httpGet 2 HTTPGetAction?, tcpSocket 3 TCPSocketAction?, grpc 4 GRPCAction?
Probe: handler 1 ProbeHandler+, initialDelaySeconds 2 integer, timeoutSeconds 3 integer, periodSeconds 4 integer,
  successThreshold 5 integer, failureThreshold 6 integer, terminationGracePeriodSeconds 7 integer?
ContainerResizePolicy: resourceName 1 text, restartPolicy 2 text
SleepAction: seconds 1 integer
LifecycleHandler: exec 1 ExecAction?, httpGet 2 HTTPGetAction?, tcpSocket 3 TCPSocketAction?, sleep 4 SleepAction?
Lifecycle: postStart 1 LifecycleHandler?, preStop 2 LifecycleHandler?, stopSignal 3 text?
SecretKeySelector: localObjectReference 1 LocalObjectReference+, key 2 text, optional 3 flag?
ObjectFieldSelector: apiVersion 1 text, fieldPath 2 text
ConfigMapKeySelector: localObjectReference 1 LocalObjectReference+, key 2 text, optional 3 flag?
EnvVarSource: fieldRef 1 ObjectFieldSelector?, configMapKeyRef 3 ConfigMapKeySelector?,
  secretKeyRef 4 SecretKeySelector?
EnvVar: name 1 text, value 2 text, valueFrom 3 EnvVarSource?
ConfigMapEnvSource: localObjectReference 1 LocalObjectReference+, optional 2 flag?
EnvFromSource: prefix 1 text, configMapRef 2 ConfigMapEnvSource?
ContainerRestartRuleOnExitCodes: operator 1 text, values 2 integer[]
ContainerRestartRule: action 1 text, exitCodes 2 ContainerRestartRuleOnExitCodes?
ContainerPort: name 1 text, hostPort 2 integer, containerPort 3 integer, protocol 4 text, hostIP 5 text
ResourceClaim: name 1 text, request 2 text
ResourceRequirements: limits 1 quantity{}, requests 2 quantity{}, claims 3 ResourceClaim[]
VolumeDevice: name 1 text, devicePath 2 text
Capabilities: add 1 text[], drop 2 text[]
SeccompProfile: type 1 text
SecurityContext: capabilities 1 Capabilities?, privileged 2 flag?, runAsUser 4 integer?, runAsNonRoot 5 flag?,
  readOnlyRootFilesystem 6 flag?, allowPrivilegeEscalation 7 flag?, runAsGroup 8 integer?,
  seccompProfile 11 SeccompProfile?
Container: name 1 text, image 2 text, command 3 text[], args 4 text[], workingDir 5 text, ports 6 ContainerPort[],
  env 7 EnvVar[], resources 8 ResourceRequirements, volumeMounts 9 VolumeMount[], livenessProbe 10 Probe?,
  readinessProbe 11 Probe?, lifecycle 12 Lifecycle?, terminationMessagePath 13 text, imagePullPolicy 14 text,
  securityContext 15 SecurityContext?, stdin 16 flag, stdinOnce 17 flag, tty 18 flag, envFrom 19 EnvFromSource[],
  terminationMessagePolicy 20 text, volumeDevices 21 VolumeDevice[], startupProbe 22 Probe?,
  resizePolicy 23 ContainerResizePolicy[], restartPolicy 24 text?, restartPolicyRules 25 ContainerRestartRule[]
EphemeralContainer: ephemeralContainerCommon 1 Container+, targetContainerName 2 text
HostAlias: ip 1 text
PodOS: name 1 text
Toleration: key 1 text, operator 2 text, value 3 text, effect 4 text, tolerationSeconds 5 integer?
PodSchedulingGate: name 1 text
PodSecurityContext: runAsUser 2 integer?, runAsNonRoot 3 flag?, supplementalGroups 4 integer[], fsGroup 5 integer?,
  runAsGroup 6 integer?, seccompProfile 10 SeccompProfile?
PodReadinessGate: conditionType 1 text
LabelSelectorRequirement: key 1 text, operator 2 text, values 3 text[]
LabelSelector: matchLabels 1 text{}, matchExpressions 2 LabelSelectorRequirement[]
TopologySpreadConstraint: maxSkew 1 integer, topologyKey 2 text, whenUnsatisfiable 3 text,
  labelSelector 4 LabelSelector?
PodDNSConfigOption: name 1 text, value 2 text?
PodDNSConfig: searches 2 text[], options 3 PodDNSConfigOption[]
PodResourceClaim: name 1 text
EmptyDirVolumeSource: medium 1 text, sizeLimit 2 quantity?, mode 3 integer?
KeyToPath: key 1 text, path 2 text, mode 3 integer?, user 4 integer?
ConfigMapProjection: localObjectReference 1 LocalObjectReference+, items 2 KeyToPath[], optional 4 flag?
ServiceAccountTokenProjection: audience 1 text, expirationSeconds 2 integer?, path 3 text, user 4 integer?
SecretProjection: localObjectReference 1 LocalObjectReference+, items 2 KeyToPath[], optional 4 flag?
DownwardAPIVolumeFile: path 1 text, fieldRef 2 ObjectFieldSelector?, mode 4 integer?, user 5 integer?
DownwardAPIProjection: items 1 DownwardAPIVolumeFile[]
VolumeProjection: secret 1 SecretProjection?, downwardAPI 2 DownwardAPIProjection?, configMap 3 ConfigMapProjection?,
  serviceAccountToken 4 ServiceAccountTokenProjection?
ProjectedVolumeSource: sources 1 VolumeProjection[], defaultMode 2 integer?
CSIVolumeSource: driver 1 text, readOnly 2 flag?
PersistentVolumeClaimVolumeSource: claimName 1 text, readOnly 2 flag
ImageVolumeSource: reference 1 text, pullPolicy 2 text
HostPathVolumeSource: path 1 text, type 2 text?
DownwardAPIVolumeSource: items 1 DownwardAPIVolumeFile[], defaultMode 2 integer?
FCVolumeSource: fsType 3 text, readOnly 4 flag
ConfigMapVolumeSource: localObjectReference 1 LocalObjectReference+, items 2 KeyToPath[], defaultMode 3 integer?,
  optional 4 flag?
SecretVolumeSource: secretName 1 text, items 2 KeyToPath[], defaultMode 3 integer?, optional 4 flag?
VolumeSource: hostPath 1 HostPathVolumeSource?, emptyDir 2 EmptyDirVolumeSource?, secret 6 SecretVolumeSource?,
  persistentVolumeClaim 10 PersistentVolumeClaimVolumeSource?, downwardAPI 16 DownwardAPIVolumeSource?,
  fc 17 FCVolumeSource?, configMap 19 ConfigMapVolumeSource?, projected 26 ProjectedVolumeSource?,
  csi 28 CSIVolumeSource?, image 30 ImageVolumeSource?
Volume: name 1 text, volumeSource 2 VolumeSource+
PodSpec: volumes 1 Volume[], containers 2 Container[], restartPolicy 3 text, terminationGracePeriodSeconds 4 integer?,
  activeDeadlineSeconds 5 integer?, dnsPolicy 6 text, nodeSelector 7 text{}, serviceAccountName 8 text,
  serviceAccount 9 text, nodeName 10 text, hostNetwork 11 flag, hostPID 12 flag, hostIPC 13 flag,
  securityContext 14 PodSecurityContext?, imagePullSecrets 15 LocalObjectReference[], hostname 16 text,
  subdomain 17 text, schedulerName 19 text, initContainers 20 Container[], automountServiceAccountToken 21 flag?,
  tolerations 22 Toleration[], hostAliases 23 HostAlias[], priorityClassName 24 text, priority 25 integer?,
  dnsConfig 26 PodDNSConfig?, shareProcessNamespace 27 flag?, readinessGates 28 PodReadinessGate[],
  runtimeClassName 29 text?, enableServiceLinks 30 flag?, preemptionPolicy 31 text?, overhead 32 quantity{},
  topologySpreadConstraints 33 TopologySpreadConstraint[], ephemeralContainers 34 EphemeralContainer[],
  setHostnameAsFQDN 35 flag?, os 36 PodOS?, hostUsers 37 flag?, schedulingGates 38 PodSchedulingGate[],
  resourceClaims 39 PodResourceClaim[], resources 40 ResourceRequirements?, hostnameOverride 41 text?
LinuxContainerUser: uid 1 integer, gid 2 integer, supplementalGroups 3 integer[]
ContainerUser: linux 1 LinuxContainerUser?
ContainerStateTerminated: exitCode 1 integer, signal 2 integer, reason 3 text, message 4 text, startedAt 5 time,
  finishedAt 6 time, containerID 7 text
ContainerStateRunning: startedAt 1 time
ContainerStateWaiting: reason 1 text, message 2 text
ContainerState: waiting 1 ContainerStateWaiting?, running 2 ContainerStateRunning?,
  terminated 3 ContainerStateTerminated?
VolumeMountStatus: name 1 text, mountPath 2 text, readOnly 3 flag, recursiveReadOnly 4 text?
ContainerStatus: name 1 text, state 2 ContainerState, lastState 3 ContainerState, ready 4 flag,
  restartCount 5 integer, image 6 text, imageID 7 text, containerID 8 text, started 9 flag?,
  resources 11 ResourceRequirements?, volumeMounts 12 VolumeMountStatus[], user 13 ContainerUser?, stopSignal 15 text?
PodCondition: type 1 text, status 2 text, lastProbeTime 3 time, lastTransitionTime 4 time, reason 5 text,
  message 6 text, observedGeneration 7 integer
HostIP: ip 1 text
PodIP: ip 1 text
PodStatus: phase 1 text, conditions 2 PodCondition[], message 3 text, reason 4 text, hostIP 5 text, podIP 6 text,
  startTime 7 time?, containerStatuses 8 ContainerStatus[], qosClass 9 text,
  initContainerStatuses 10 ContainerStatus[], nominatedNodeName 11 text, podIPs 12 PodIP[],
  ephemeralContainerStatuses 13 ContainerStatus[], resize 14 text, hostIPs 16 HostIP[], observedGeneration 17 integer,
  resources 20 ResourceRequirements?
`;
