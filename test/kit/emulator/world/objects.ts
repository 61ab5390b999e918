/**
 * The Kubernetes objects in the store, as JSON. Only the fields that the emulator reads or writes are
 * declared; all others are kept unchanged.
 */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  generateName?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
}

interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

export interface EnvVar {
  name: string;
  value?: string;
  [field: string]: unknown;
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: EnvVar[];
  ports?: { containerPort: number; name?: string; protocol?: string }[];
  /** `Always` makes an init container a native sidecar. Since 1.34, any container may override the pod's. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  restartPolicyRules?: RestartRule[];
  securityContext?: { runAsUser?: number; runAsGroup?: number; [field: string]: unknown };
  lifecycle?: { postStart?: LifecycleHook; preStop?: LifecycleHook; stopSignal?: string };
  imagePullPolicy?: string;
  /** Only on ephemeral containers: the container whose PID namespace it joins. */
  targetContainerName?: string;
  [field: string]: unknown;
}

/** The emulator runs exec and sleep; an httpGet counts as done. */
export interface LifecycleHook {
  exec?: { command: string[] };
  sleep?: { seconds: number };
  [handler: string]: unknown;
}

interface RestartRule {
  action: 'Restart';
  exitCodes?: { operator: 'In' | 'NotIn'; values: number[] };
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt: string };
  terminated?: {
    exitCode: number;
    signal?: number;
    reason?: string;
    message?: string;
    startedAt: string;
    finishedAt: string;
    containerID?: string;
  };
}

export interface ContainerStatus {
  name: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  [field: string]: unknown;
}

export interface Pod extends KubeObject {
  spec: {
    containers: Container[];
    initContainers?: Container[];
    ephemeralContainers?: Container[];
    restartPolicy: 'Always' | 'OnFailure' | 'Never';
    terminationGracePeriodSeconds?: number;
    activeDeadlineSeconds?: number;
    shareProcessNamespace?: boolean;
    hostPID?: boolean;
    nodeName?: string;
    serviceAccountName?: string;
    securityContext?: { runAsUser?: number; runAsGroup?: number; [field: string]: unknown };
    [field: string]: unknown;
  };
  status: {
    phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
    reason?: string;
    message?: string;
    startTime?: string;
    conditions?: Condition[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
    ephemeralContainerStatuses?: ContainerStatus[];
    [field: string]: unknown;
  };
}

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string;
  [field: string]: unknown;
}

export interface Job extends KubeObject {
  spec: {
    parallelism?: number;
    completions?: number;
    backoffLimit?: number;
    activeDeadlineSeconds?: number;
    completionMode?: 'NonIndexed' | 'Indexed';
    suspend?: boolean;
    podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed';
    podFailurePolicy?: { rules: PodFailurePolicyRule[] };
    backoffLimitPerIndex?: number;
    maxFailedIndexes?: number;
    successPolicy?: { rules: { succeededIndexes?: string; succeededCount?: number }[] };
    managedBy?: string;
    template: { metadata?: Partial<ObjectMeta>; spec: Pod['spec'] };
    [field: string]: unknown;
  };
  status: {
    conditions?: Condition[];
    startTime?: string;
    completionTime?: string;
    active?: number;
    succeeded?: number;
    failed?: number;
    ready?: number;
    terminating?: number;
    completedIndexes?: string;
    failedIndexes?: string;
    uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
    [field: string]: unknown;
  };
}

export interface PodFailurePolicyRule {
  action: 'FailJob' | 'Ignore' | 'Count' | 'FailIndex';
  onExitCodes?: { containerName?: string; operator: 'In' | 'NotIn'; values: number[] };
  onPodConditions?: { type: string; status?: string }[];
}
