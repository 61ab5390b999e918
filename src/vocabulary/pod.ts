import type { Millis } from '../duration.ts';
import type { ContainerView, InitContainerView, NativeSidecarView, RestartPolicy } from './container.ts';

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
  /** Whether it has the condition `DisruptionTarget`: it is drained, preempted or evicted. */
  readonly disrupted: boolean;
  readonly restartPolicy: RestartPolicy;
  /** Which processes a container of the pod sees: its own, the pod's (PID 1 is pause) or the node's. */
  readonly processNamespace: 'Container' | 'Pod' | 'Node';
  /** Whether its loopback interface is the node's. */
  readonly hostNetwork: boolean;
  /** The operating system that the pod requires of its node. */
  readonly os: string | undefined;
  /** `terminationGracePeriodSeconds`; 30 seconds if unset. */
  readonly grace: Millis;
  readonly owner: Owner | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The names of its `imagePullSecrets`. */
  readonly pullSecrets: readonly string[];
  /** What the scheduler reserves for the pod on its node. */
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
  /** What is wrong with the container statuses; empty if there is exactly one for every container. */
  readonly statusProblems: readonly string[];
  /** Whether the pod still has the job-tracking finalizer, so its Job has not counted it yet. */
  readonly awaitsJobTracking: boolean;
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

/** A pod that Argo Workflows created. */
export interface ArgoView {
  /** The containers of its template, which do the work; undefined if the pod does not name them. */
  readonly mains: readonly string[] | undefined;
}

/** A list item that is not a valid pod. */
export interface MalformedPod {
  readonly namespace: string;
  readonly name: string;
  readonly problem: string;
}
