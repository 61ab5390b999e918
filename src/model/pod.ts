import type { Millis } from '../util/time.ts';

export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

export interface PodRef extends PodName {
  readonly uid: string;
}

/** The facts about a pod that decisions depend on. The API object itself never leaves `kube/`. */
export interface PodView {
  readonly ref: PodRef;
  readonly node: string | undefined;
  readonly phase: string;
  /** `status.reason`: why the pod is in its current state, such as `Evicted`. */
  readonly reason: string | undefined;
  readonly deleting: boolean;
  /** Whether something else than its containers ended it: a drain, a preemption, an eviction, its own deadline. */
  readonly disrupted: boolean;
  readonly conditions: readonly PodCondition[];
  readonly restartPolicy: RestartPolicy;
  /** Which processes a container of the pod sees: its own, the pod's (PID 1 is pause) or the node's. */
  readonly processNamespace: 'Container' | 'Pod' | 'Node';
  /** Whether its loopback interface is the node's. */
  readonly hostNetwork: boolean;
  /** The names of the secrets for registries, those of its service account included. */
  readonly pullSecrets: readonly string[];
  /** The operating system that the pod requires of its node. */
  readonly os: string | undefined;
  /** `terminationGracePeriodSeconds`; 30 seconds if unset. */
  readonly grace: Millis;
  readonly owner: Owner | undefined;
  /** Whether an object owns the pod without controlling it; its controller may still judge the pod. */
  readonly hasOtherOwner: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** The resources that the scheduler reserves for the pod on its node. */
  readonly requests: Resources;
  readonly annotations: Readonly<Record<string, string>>;
  /** The regular containers, in the order of the spec. */
  readonly containers: readonly ContainerView[];
  readonly nativeSidecars: readonly NativeSidecarView[];
  /** Those that run to completion before the regular containers start. */
  readonly initContainers: readonly InitContainerView[];
  /** Restarts of all init and regular containers, which a Job adds up under OnFailure. */
  readonly restarts: number;
  readonly ephemeralContainers: readonly string[];
  /** Undefined unless Argo Workflows created the pod. */
  readonly argo: ArgoView | undefined;
  /** Problems of the container statuses; empty if there is exactly one for every container. */
  readonly statusProblems: readonly string[];
  /** Whether the pod still has the job-tracking finalizer, so its Job has not counted it yet. */
  readonly awaitsJobTracking: boolean;
  /** How many bytes it takes, roughly. */
  readonly size: number;
  /** Whether it has more in it than is kept of one pod. Then only its names were read. */
  readonly isOverBound: boolean;
}

export interface PodCondition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
}

/** CPU in cores, memory in bytes. */
export interface Resources {
  readonly cpu: number;
  readonly memory: number;
}

/** The object that controls a pod. */
export interface Owner {
  /** The API group without its version: `batch` for Jobs, empty for the core. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface ArgoView {
  /** The containers of its template, which do the work; undefined if the pod does not name them. */
  readonly mains: readonly string[] | undefined;
}

/** Argo's own containers, which wait for the mains and save the outputs; later versions have `supervisor` in place of `wait`. */
export const argoExecutors: readonly string[] = ['wait', 'supervisor'];

/** A list item that is not a valid pod. */
export interface MalformedPod extends PodName {
  readonly problem: string;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface ContainerView {
  readonly name: string;
  readonly image: string;
  /** `command` and `args` of the spec; undefined if the image's own apply. */
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[] | undefined;
  /** Where volumes are mounted: files below these paths do not come from the image. */
  readonly mounts: readonly string[];
  /** The environment variables that have a literal value in the spec. */
  readonly env: Readonly<Record<string, string>>;
  /** `imagePullPolicy`: whether the kubelet asks a registry for its image. */
  readonly pullPolicy: string | undefined;
  /** Whether `env` sets PATH, or `envFrom` may. */
  readonly setsPath: boolean;
  /** The container's own policy (Kubernetes 1.34+), which overrides the pod's. */
  readonly restartPolicy: RestartPolicy | undefined;
  readonly restartRules: readonly RestartRule[];
  readonly state: ContainerState;
  /** The container ID of the instance that `state` describes. */
  readonly id: string | undefined;
  /** The image of that container, as the runtime names it; undefined as well if no image can have been replaced. */
  readonly ranImage: string | undefined;
  readonly restartCount: number;
  /** How the previous instance ended, and when. */
  readonly lastExitCode: number | undefined;
  readonly lastFinishedAt: Millis | undefined;
}

export type ContainerState =
  | { readonly kind: 'Running'; readonly startedAt: Millis | undefined }
  | { readonly kind: 'Waiting'; readonly reason: string }
  | {
      readonly kind: 'Terminated';
      readonly exitCode: number;
      readonly signal: number | undefined;
      readonly reason: string;
      readonly finishedAt: Millis | undefined;
    }
  | { readonly kind: 'Unreported' };

/** A restart rule (`restartPolicyRules`): exit codes that restart the container, whatever its policy. */
export interface RestartRule {
  /** `Restart`, or since Kubernetes 1.35 `RestartAllContainers`, which restarts the mains too. */
  readonly action: string;
  readonly operator: 'In' | 'NotIn';
  readonly exitCodes: readonly number[];
}

export interface InitContainerView {
  readonly name: string;
  readonly image: string;
  readonly state: ContainerState;
}

export interface NativeSidecarView extends InitContainerView {
  /** Whether it has passed its startup probe, or runs without one. */
  readonly started: boolean;
  readonly restartCount: number;
  readonly restartRules: readonly RestartRule[];
  /** How long its startup probe may take until the kubelet kills it; undefined if it has none. */
  readonly startupLimit: Millis | undefined;
}

/** The Job that owns a pod. Jobs of other API groups (`batch.volcano.sh`) do not count. */
export function jobOf({ owner }: Pick<PodView, 'owner'>): Owner | undefined {
  return owner?.kind === 'Job' && owner.group === 'batch' ? owner : undefined;
}

/** The key of a Job. The uid alone is not enough: a pod's creator may write any uid into it, even that of a Job in another namespace. */
export function jobKey(namespace: string, { name, uid }: Pick<Owner, 'name' | 'uid'>): string {
  return `${namespace}/${name}/${uid}`;
}

/** The reason of a container that the kubelet has not reported on, such as one of an evicted pod. */
export const noStatus = 'no status';
