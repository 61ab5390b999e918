import type { JobView } from './job.ts';
import type { NamespaceReading } from './namespace.ts';
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
