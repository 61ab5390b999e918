import type { JobView } from './job.ts';
import type { Problem } from './observation.ts';
import type { PodName } from './pod.ts';

/** What judging and planning need besides the pod; read beforehand, as far as needed and permitted. */
export interface Facts {
  /** Names of the containers in a Job's template, by the Job's uid. */
  readonly jobContainers: ReadonlyMap<string, readonly string[]>;
  /** Names of the native sidecars in a Job's template, by the Job's uid. */
  readonly jobNativeSidecars: ReadonlyMap<string, readonly string[]>;
  /** Why a node is not ready, by its name; only nodes that are known not to be. */
  readonly unreadyNodes: ReadonlyMap<string, string>;
  /** The operating system and architecture of nodes that are ready, by their name. */
  readonly platforms: ReadonlyMap<string, string>;
  /** The namespaces that were read, by their name. */
  readonly namespaces: ReadonlyMap<string, NamespaceReading>;
  /** Those that the selector of namespaces selects; undefined if there is none. */
  readonly selectedNamespaces: ReadonlySet<string> | undefined;
  /** The pod that this process runs in. */
  readonly self: PodName | undefined;
}

/** What planning knows of the Job that owns a pod. */
export type JobFacts =
  | {
      readonly kind: 'Known';
      readonly job: JobView;
      /** Restarts of all its pods that have not ended: what the Job compares with its backoffLimit. */
      readonly restarts: number;
    }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable' };

export type NamespaceReading =
  | {
      readonly kind: 'Present';
      readonly annotations: Readonly<Record<string, string>>;
      readonly uid?: string;
    }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export interface ListedNamespace {
  readonly name: string;
  readonly reading: NamespaceReading;
}

export type NodeReading =
  /** Its operating system and architecture, such as `linux/arm64`. */
  | { readonly kind: 'Ready'; readonly platform: string }
  /** Its Ready condition is not True, or the Node is gone; its containers cannot be reached. */
  | { readonly kind: 'NotReady'; readonly reason: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export interface ListedNode {
  readonly name: string;
  readonly reading: NodeReading;
}
