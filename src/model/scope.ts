/** Which pods to examine. An empty list of namespaces means all. */
export interface Scope {
  readonly namespaces: readonly string[];
  /** Left out of all namespaces. */
  readonly excludeNamespaces?: readonly string[];
  /** Only namespaces with these labels. */
  readonly namespaceSelector?: string | undefined;
  readonly labelSelector: string | undefined;
  /** Whether to examine Pending pods too, whose sidecars may never have started. */
  readonly includePending?: boolean;
  readonly shard?: Shard | undefined;
}

/** One of several parts of a cluster's pods, counted from 0. A hash of its uid puts a pod into a part. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface RunInfo {
  readonly id: string;
  readonly version: string;
  readonly dryRun: boolean;
  readonly context: string;
  readonly server: string;
  /** What the operator calls the cluster. */
  readonly clusterName?: string;
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names */
export const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
