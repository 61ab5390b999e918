/**
 * Every field of a pod, of a refusal, and of what kubectl sends in protobuf: its name in JSON, its number and its type. Go always
 * writes a plain value, empty ones included; `?` is a pointer, which it writes unless it is nil; `[]` is a list, `{}` a map from
 * texts, and `+` a struct that Go embeds.
 * https://github.com/kubernetes/api/blob/master/core/v1/generated.proto
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/generated.proto
 */
export const fieldsOfMessages = `
TypeMeta: apiVersion 1 text, kind 2 text
ShardInfo: selector 1 text
ListMeta: selfLink 1 text, resourceVersion 2 text, continue 3 text, remainingItemCount 4 integer?,
  shardInfo 5 ShardInfo?
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
VolumeMount: name 1 text, readOnly 2 flag, mountPath 3 text, subPath 4 text, mountPropagation 5 text?,
  subPathExpr 6 text, recursiveReadOnly 7 text?, bindMountOptions 8 text[]
HTTPHeader: name 1 text, value 2 text
HTTPGetAction: path 1 text, port 2 intOrText, host 3 text, scheme 4 text, httpHeaders 5 HTTPHeader[], protocol 6 text?
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
ResourceFieldSelector: containerName 1 text, resource 2 text, divisor 3 quantity
ObjectFieldSelector: apiVersion 1 text, fieldPath 2 text
ConfigMapKeySelector: localObjectReference 1 LocalObjectReference+, key 2 text, optional 3 flag?
FileKeySelector: volumeName 1 text, path 2 text, key 3 text, optional 4 flag?
EnvVarSource: fieldRef 1 ObjectFieldSelector?, resourceFieldRef 2 ResourceFieldSelector?,
  configMapKeyRef 3 ConfigMapKeySelector?, secretKeyRef 4 SecretKeySelector?, fileKeyRef 5 FileKeySelector?
EnvVar: name 1 text, value 2 text, valueFrom 3 EnvVarSource?
SecretEnvSource: localObjectReference 1 LocalObjectReference+, optional 2 flag?
ConfigMapEnvSource: localObjectReference 1 LocalObjectReference+, optional 2 flag?
EnvFromSource: prefix 1 text, configMapRef 2 ConfigMapEnvSource?, secretRef 3 SecretEnvSource?
ContainerRestartRuleOnExitCodes: operator 1 text, values 2 integer[]
ContainerRestartRule: action 1 text, exitCodes 2 ContainerRestartRuleOnExitCodes?
ContainerPort: name 1 text, hostPort 2 integer, containerPort 3 integer, protocol 4 text, hostIP 5 text
ResourceClaim: name 1 text, request 2 text
ResourceRequirements: limits 1 quantity{}, requests 2 quantity{}, claims 3 ResourceClaim[]
VolumeDevice: name 1 text, devicePath 2 text
AppArmorProfile: type 1 text, localhostProfile 2 text?
Capabilities: add 1 text[], drop 2 text[]
WindowsSecurityContextOptions: gmsaCredentialSpecName 1 text?, gmsaCredentialSpec 2 text?, runAsUserName 3 text?,
  hostProcess 4 flag?
SELinuxOptions: user 1 text, role 2 text, type 3 text, level 4 text
SeccompProfile: type 1 text, localhostProfile 2 text?
SecurityContext: capabilities 1 Capabilities?, privileged 2 flag?, seLinuxOptions 3 SELinuxOptions?,
  runAsUser 4 integer?, runAsNonRoot 5 flag?, readOnlyRootFilesystem 6 flag?, allowPrivilegeEscalation 7 flag?,
  runAsGroup 8 integer?, procMount 9 text?, windowsOptions 10 WindowsSecurityContextOptions?,
  seccompProfile 11 SeccompProfile?, appArmorProfile 12 AppArmorProfile?
Container: name 1 text, image 2 text, command 3 text[], args 4 text[], workingDir 5 text, ports 6 ContainerPort[],
  env 7 EnvVar[], resources 8 ResourceRequirements, volumeMounts 9 VolumeMount[], livenessProbe 10 Probe?,
  readinessProbe 11 Probe?, lifecycle 12 Lifecycle?, terminationMessagePath 13 text, imagePullPolicy 14 text,
  securityContext 15 SecurityContext?, stdin 16 flag, stdinOnce 17 flag, tty 18 flag, envFrom 19 EnvFromSource[],
  terminationMessagePolicy 20 text, volumeDevices 21 VolumeDevice[], startupProbe 22 Probe?,
  resizePolicy 23 ContainerResizePolicy[], restartPolicy 24 text?, restartPolicyRules 25 ContainerRestartRule[]
EphemeralContainer: ephemeralContainerCommon 1 Container+, targetContainerName 2 text
HostAlias: ip 1 text, hostnames 2 text[]
PodOS: name 1 text
Toleration: key 1 text, operator 2 text, value 3 text, effect 4 text, tolerationSeconds 5 integer?
PodSchedulingGate: name 1 text
Sysctl: name 1 text, value 2 text
PodSecurityContext: seLinuxOptions 1 SELinuxOptions?, runAsUser 2 integer?, runAsNonRoot 3 flag?,
  supplementalGroups 4 integer[], fsGroup 5 integer?, runAsGroup 6 integer?, sysctls 7 Sysctl[],
  windowsOptions 8 WindowsSecurityContextOptions?, fsGroupChangePolicy 9 text?, seccompProfile 10 SeccompProfile?,
  appArmorProfile 11 AppArmorProfile?, supplementalGroupsPolicy 12 text?, seLinuxChangePolicy 13 text?
PodReadinessGate: conditionType 1 text
LabelSelectorRequirement: key 1 text, operator 2 text, values 3 text[]
LabelSelector: matchLabels 1 text{}, matchExpressions 2 LabelSelectorRequirement[]
TopologySpreadConstraint: maxSkew 1 integer, topologyKey 2 text, whenUnsatisfiable 3 text,
  labelSelector 4 LabelSelector?, minDomains 5 integer?, nodeAffinityPolicy 6 text?, nodeTaintsPolicy 7 text?,
  matchLabelKeys 8 text[]
EvictionResponder: name 1 text, priority 2 integer?
PodAffinityTerm: labelSelector 1 LabelSelector?, namespaces 2 text[], topologyKey 3 text,
  namespaceSelector 4 LabelSelector?, matchLabelKeys 5 text[], mismatchLabelKeys 6 text[]
WeightedPodAffinityTerm: weight 1 integer, podAffinityTerm 2 PodAffinityTerm
PodAntiAffinity: requiredDuringSchedulingIgnoredDuringExecution 1 PodAffinityTerm[],
  preferredDuringSchedulingIgnoredDuringExecution 2 WeightedPodAffinityTerm[]
NodeSelectorRequirement: key 1 text, operator 2 text, values 3 text[]
NodeSelectorTerm: matchExpressions 1 NodeSelectorRequirement[], matchFields 2 NodeSelectorRequirement[]
NodeSelector: nodeSelectorTerms 1 NodeSelectorTerm[]
PreferredSchedulingTerm: weight 1 integer, preference 2 NodeSelectorTerm
NodeAffinity: requiredDuringSchedulingIgnoredDuringExecution 1 NodeSelector?,
  preferredDuringSchedulingIgnoredDuringExecution 2 PreferredSchedulingTerm[]
PodAffinity: requiredDuringSchedulingIgnoredDuringExecution 1 PodAffinityTerm[],
  preferredDuringSchedulingIgnoredDuringExecution 2 WeightedPodAffinityTerm[]
Affinity: nodeAffinity 1 NodeAffinity?, podAffinity 2 PodAffinity?, podAntiAffinity 3 PodAntiAffinity?
PodDNSConfigOption: name 1 text, value 2 text?
PodDNSConfig: nameservers 1 text[], searches 2 text[], options 3 PodDNSConfigOption[]
PodResourceClaim: name 1 text, resourceClaimName 3 text?, resourceClaimTemplateName 4 text?
StorageOSVolumeSource: volumeName 1 text, volumeNamespace 2 text, fsType 3 text, readOnly 4 flag,
  secretRef 5 LocalObjectReference?
GlusterfsVolumeSource: endpoints 1 text, path 2 text, readOnly 3 flag
EmptyDirVolumeSource: medium 1 text, sizeLimit 2 quantity?, mode 3 integer?
TypedLocalObjectReference: apiGroup 1 text?, kind 2 text, name 3 text
VolumeResourceRequirements: limits 1 quantity{}, requests 2 quantity{}
TypedObjectReference: apiGroup 1 text?, kind 2 text, name 3 text, namespace 4 text?
PersistentVolumeClaimSpec: accessModes 1 text[], resources 2 VolumeResourceRequirements, volumeName 3 text,
  selector 4 LabelSelector?, storageClassName 5 text?, volumeMode 6 text?, dataSource 7 TypedLocalObjectReference?,
  dataSourceRef 8 TypedObjectReference?, volumeAttributesClassName 9 text?
PersistentVolumeClaimTemplate: metadata 1 ObjectMeta, spec 2 PersistentVolumeClaimSpec
EphemeralVolumeSource: volumeClaimTemplate 1 PersistentVolumeClaimTemplate?
GitRepoVolumeSource: repository 1 text, revision 2 text, directory 3 text
PhotonPersistentDiskVolumeSource: pdID 1 text, fsType 2 text
KeyToPath: key 1 text, path 2 text, mode 3 integer?, user 4 integer?
ConfigMapProjection: localObjectReference 1 LocalObjectReference+, items 2 KeyToPath[], optional 4 flag?
ServiceAccountTokenProjection: audience 1 text, expirationSeconds 2 integer?, path 3 text, user 4 integer?
PodCertificateProjection: signerName 1 text, keyType 2 text, maxExpirationSeconds 3 integer?,
  credentialBundlePath 4 text, keyPath 5 text, certificateChainPath 6 text, userAnnotations 7 text{}, user 8 integer?
SecretProjection: localObjectReference 1 LocalObjectReference+, items 2 KeyToPath[], optional 4 flag?
DownwardAPIVolumeFile: path 1 text, fieldRef 2 ObjectFieldSelector?, resourceFieldRef 3 ResourceFieldSelector?,
  mode 4 integer?, user 5 integer?
DownwardAPIProjection: items 1 DownwardAPIVolumeFile[]
ClusterTrustBundleProjection: name 1 text?, signerName 2 text?, labelSelector 3 LabelSelector?, path 4 text,
  optional 5 flag?, user 6 integer?
VolumeProjection: secret 1 SecretProjection?, downwardAPI 2 DownwardAPIProjection?, configMap 3 ConfigMapProjection?,
  serviceAccountToken 4 ServiceAccountTokenProjection?, clusterTrustBundle 5 ClusterTrustBundleProjection?,
  podCertificate 6 PodCertificateProjection?
ProjectedVolumeSource: sources 1 VolumeProjection[], defaultMode 2 integer?, defaultUser 3 integer?
FlexVolumeSource: driver 1 text, fsType 2 text, secretRef 3 LocalObjectReference?, readOnly 4 flag, options 5 text{}
PortworxVolumeSource: volumeID 1 text, fsType 2 text, readOnly 3 flag
AzureFileVolumeSource: secretName 1 text, shareName 2 text, readOnly 3 flag
ScaleIOVolumeSource: gateway 1 text, system 2 text, secretRef 3 LocalObjectReference?, sslEnabled 4 flag,
  protectionDomain 5 text, storagePool 6 text, storageMode 7 text, volumeName 8 text, fsType 9 text, readOnly 10 flag
CSIVolumeSource: driver 1 text, readOnly 2 flag?, fsType 3 text?, volumeAttributes 4 text{},
  nodePublishSecretRef 5 LocalObjectReference?
PersistentVolumeClaimVolumeSource: claimName 1 text, readOnly 2 flag
VsphereVirtualDiskVolumeSource: volumePath 1 text, fsType 2 text, storagePolicyName 3 text, storagePolicyID 4 text
FlockerVolumeSource: datasetName 1 text, datasetUUID 2 text
ImageVolumeSource: reference 1 text, pullPolicy 2 text
CephFSVolumeSource: monitors 1 text[], path 2 text, user 3 text, secretFile 4 text, secretRef 5 LocalObjectReference?,
  readOnly 6 flag
AzureDiskVolumeSource: diskName 1 text, diskURI 2 text, cachingMode 3 text?, fsType 4 text?, readOnly 5 flag?,
  kind 6 text?
HostPathVolumeSource: path 1 text, type 2 text?
DownwardAPIVolumeSource: items 1 DownwardAPIVolumeFile[], defaultMode 2 integer?, defaultUser 3 integer?
GCEPersistentDiskVolumeSource: pdName 1 text, fsType 2 text, partition 3 integer, readOnly 4 flag
NFSVolumeSource: server 1 text, path 2 text, readOnly 3 flag
CinderVolumeSource: volumeID 1 text, fsType 2 text, readOnly 3 flag, secretRef 4 LocalObjectReference?
ISCSIVolumeSource: targetPortal 1 text, iqn 2 text, lun 3 integer, iscsiInterface 4 text, fsType 5 text,
  readOnly 6 flag, portals 7 text[], chapAuthDiscovery 8 flag, secretRef 10 LocalObjectReference?,
  chapAuthSession 11 flag, initiatorName 12 text?
AWSElasticBlockStoreVolumeSource: volumeID 1 text, fsType 2 text, partition 3 integer, readOnly 4 flag
FCVolumeSource: targetWWNs 1 text[], lun 2 integer?, fsType 3 text, readOnly 4 flag, wwids 5 text[]
ConfigMapVolumeSource: localObjectReference 1 LocalObjectReference+, items 2 KeyToPath[], defaultMode 3 integer?,
  optional 4 flag?, defaultUser 5 integer?
QuobyteVolumeSource: registry 1 text, volume 2 text, readOnly 3 flag, user 4 text, group 5 text, tenant 6 text
SecretVolumeSource: secretName 1 text, items 2 KeyToPath[], defaultMode 3 integer?, optional 4 flag?,
  defaultUser 5 integer?
RBDVolumeSource: monitors 1 text[], image 2 text, fsType 3 text, pool 4 text, user 5 text, keyring 6 text,
  secretRef 7 LocalObjectReference?, readOnly 8 flag
VolumeSource: hostPath 1 HostPathVolumeSource?, emptyDir 2 EmptyDirVolumeSource?,
  gcePersistentDisk 3 GCEPersistentDiskVolumeSource?, awsElasticBlockStore 4 AWSElasticBlockStoreVolumeSource?,
  gitRepo 5 GitRepoVolumeSource?, secret 6 SecretVolumeSource?, nfs 7 NFSVolumeSource?, iscsi 8 ISCSIVolumeSource?,
  glusterfs 9 GlusterfsVolumeSource?, persistentVolumeClaim 10 PersistentVolumeClaimVolumeSource?,
  rbd 11 RBDVolumeSource?, flexVolume 12 FlexVolumeSource?, cinder 13 CinderVolumeSource?,
  cephfs 14 CephFSVolumeSource?, flocker 15 FlockerVolumeSource?, downwardAPI 16 DownwardAPIVolumeSource?,
  fc 17 FCVolumeSource?, azureFile 18 AzureFileVolumeSource?, configMap 19 ConfigMapVolumeSource?,
  vsphereVolume 20 VsphereVirtualDiskVolumeSource?, quobyte 21 QuobyteVolumeSource?,
  azureDisk 22 AzureDiskVolumeSource?, photonPersistentDisk 23 PhotonPersistentDiskVolumeSource?,
  portworxVolume 24 PortworxVolumeSource?, scaleIO 25 ScaleIOVolumeSource?, projected 26 ProjectedVolumeSource?,
  storageos 27 StorageOSVolumeSource?, csi 28 CSIVolumeSource?, ephemeral 29 EphemeralVolumeSource?,
  image 30 ImageVolumeSource?
Volume: name 1 text, volumeSource 2 VolumeSource+
PodSchedulingGroup: podGroupName 1 text?
PodSpec: volumes 1 Volume[], containers 2 Container[], restartPolicy 3 text, terminationGracePeriodSeconds 4 integer?,
  activeDeadlineSeconds 5 integer?, dnsPolicy 6 text, nodeSelector 7 text{}, serviceAccountName 8 text,
  serviceAccount 9 text, nodeName 10 text, hostNetwork 11 flag, hostPID 12 flag, hostIPC 13 flag,
  securityContext 14 PodSecurityContext?, imagePullSecrets 15 LocalObjectReference[], hostname 16 text,
  subdomain 17 text, affinity 18 Affinity?, schedulerName 19 text, initContainers 20 Container[],
  automountServiceAccountToken 21 flag?, tolerations 22 Toleration[], hostAliases 23 HostAlias[],
  priorityClassName 24 text, priority 25 integer?, dnsConfig 26 PodDNSConfig?, shareProcessNamespace 27 flag?,
  readinessGates 28 PodReadinessGate[], runtimeClassName 29 text?, enableServiceLinks 30 flag?,
  preemptionPolicy 31 text?, overhead 32 quantity{}, topologySpreadConstraints 33 TopologySpreadConstraint[],
  ephemeralContainers 34 EphemeralContainer[], setHostnameAsFQDN 35 flag?, os 36 PodOS?, hostUsers 37 flag?,
  schedulingGates 38 PodSchedulingGate[], resourceClaims 39 PodResourceClaim[], resources 40 ResourceRequirements?,
  hostnameOverride 41 text?, schedulingGroup 43 PodSchedulingGroup?, evictionResponders 44 EvictionResponder[]
ContainerExtendedResourceRequest: containerName 1 text, resourceName 2 text, requestName 3 text
PodExtendedResourceClaimStatus: requestMappings 1 ContainerExtendedResourceRequest[], resourceClaimName 2 text
PodResourceClaimStatus: name 1 text, resourceClaimName 2 text?
LinuxContainerUser: uid 1 integer, gid 2 integer, supplementalGroups 3 integer[]
ContainerUser: linux 1 LinuxContainerUser?
ContainerStateTerminated: exitCode 1 integer, signal 2 integer, reason 3 text, message 4 text, startedAt 5 time,
  finishedAt 6 time, containerID 7 text
ContainerStateRunning: startedAt 1 time
ContainerStateWaiting: reason 1 text, message 2 text
ContainerState: waiting 1 ContainerStateWaiting?, running 2 ContainerStateRunning?,
  terminated 3 ContainerStateTerminated?
ResourceHealth: resourceID 1 text, health 2 text, message 6 text?
ResourceStatus: name 1 text, resources 2 ResourceHealth[]
ImageVolumeStatus: imageRef 1 text
VolumeStatus: image 1 ImageVolumeStatus?
VolumeMountStatus: name 1 text, mountPath 2 text, readOnly 3 flag, recursiveReadOnly 4 text?,
  volumeStatus 5 VolumeStatus?
ContainerStatus: name 1 text, state 2 ContainerState, lastState 3 ContainerState, ready 4 flag,
  restartCount 5 integer, image 6 text, imageID 7 text, containerID 8 text, started 9 flag?,
  allocatedResources 10 quantity{}, resources 11 ResourceRequirements?, volumeMounts 12 VolumeMountStatus[],
  user 13 ContainerUser?, allocatedResourcesStatus 14 ResourceStatus[], stopSignal 15 text?
VolumeHealthCondition: status 1 text, reason 2 text, message 3 text
PodVolumeHealth: name 1 text, healthConditions 2 VolumeHealthCondition[], lastTransitionTime 3 time
PodCondition: type 1 text, status 2 text, lastProbeTime 3 time, lastTransitionTime 4 time, reason 5 text,
  message 6 text, observedGeneration 7 integer
HostIP: ip 1 text
NodeAllocatableOverheadResources: name 1 text, perPod 2 quantity?, perContainer 3 quantity?
NodeAllocatableMappedResources: name 1 text, quantity 2 quantity?
NodeAllocatableResourceClaimStatus: resourceClaimName 1 text, containers 2 text[],
  mapping 4 NodeAllocatableMappedResources[], overhead 5 NodeAllocatableOverheadResources[]
PodIP: ip 1 text
PodStatus: phase 1 text, conditions 2 PodCondition[], message 3 text, reason 4 text, hostIP 5 text, podIP 6 text,
  startTime 7 time?, containerStatuses 8 ContainerStatus[], qosClass 9 text,
  initContainerStatuses 10 ContainerStatus[], nominatedNodeName 11 text, podIPs 12 PodIP[],
  ephemeralContainerStatuses 13 ContainerStatus[], resize 14 text, resourceClaimStatuses 15 PodResourceClaimStatus[],
  hostIPs 16 HostIP[], observedGeneration 17 integer, extendedResourceClaimStatus 18 PodExtendedResourceClaimStatus?,
  allocatedResources 19 quantity{}, resources 20 ResourceRequirements?,
  nodeAllocatableResourceClaimStatuses 21 NodeAllocatableResourceClaimStatus[], volumeHealth 22 PodVolumeHealth[]
Unknown: typeMeta 1 TypeMeta
ResourceAttributes: namespace 1 text, verb 2 text, group 3 text, version 4 text, resource 5 text, subresource 6 text,
  name 7 text
NonResourceAttributes: path 1 text, verb 2 text
SubjectAccessReviewSpec: resourceAttributes 1 ResourceAttributes?, nonResourceAttributes 2 NonResourceAttributes?,
  user 3 text, groups 4 text[]
SubjectAccessReview: spec 2 SubjectAccessReviewSpec
SelfSubjectAccessReviewSpec: resourceAttributes 1 ResourceAttributes?, nonResourceAttributes 2 NonResourceAttributes?
SelfSubjectAccessReview: spec 2 SelfSubjectAccessReviewSpec
SelfSubjectRulesReviewSpec: namespace 1 text
SelfSubjectRulesReview: spec 2 SelfSubjectRulesReviewSpec
SelfSubjectReview: metadata 1 ObjectMeta
Namespace: metadata 1 ObjectMeta
ServiceAccount: metadata 1 ObjectMeta
ConfigMap: metadata 1 ObjectMeta, data 2 text{}
TokenRequestSpec: audiences 1 text[], expirationSeconds 4 integer?
TokenRequest: metadata 1 ObjectMeta, spec 2 TokenRequestSpec
Preconditions: uid 1 text?, resourceVersion 2 text?
DeleteOptions: gracePeriodSeconds 1 integer?, preconditions 2 Preconditions?, propagationPolicy 4 text?, dryRun 5 text[]
Eviction: metadata 1 ObjectMeta, deleteOptions 2 DeleteOptions?
PolicyRule: verbs 1 text[], apiGroups 2 text[], resources 3 text[], resourceNames 4 text[], nonResourceURLs 5 text[]
Role: metadata 1 ObjectMeta, rules 2 PolicyRule[]
ClusterRole: metadata 1 ObjectMeta, rules 2 PolicyRule[]
Subject: kind 1 text, apiGroup 2 text, name 3 text, namespace 4 text
RoleRef: apiGroup 1 text, kind 2 text, name 3 text
RoleBinding: metadata 1 ObjectMeta, subjects 2 Subject[], roleRef 3 RoleRef
ClusterRoleBinding: metadata 1 ObjectMeta, subjects 2 Subject[], roleRef 3 RoleRef
`;
