import type { SweepPolicy } from './contract.ts';
import type { SweepEvent } from './events.ts';

/** How to reach a cluster, and how to follow what is done there. */
export interface ClusterOptions {
  /**
   * The kubeconfig file. If omitted, the cluster is found the way kubectl does it: KUBECONFIG, ~/.kube/config and, in a pod,
   * the service account.
   */
  readonly kubeconfig?: string;
  /** The context of the kubeconfig; the current one if omitted. */
  readonly context?: string;
  /** Where KUBECONFIG, HOME, proxies and the like are looked up; `process.env` if omitted. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long one request may take, such as `30s`, the default. */
  readonly requestTimeout?: string;
  /** How many requests may be in flight at once; 20 if omitted. */
  readonly concurrency?: number;
  /**
   * Abort it to stop early: nothing more is sent, and the report says what became of each pod until then. Of
   * `AbortSignal.timeout()`, the report says that the deadline has passed.
   */
  readonly stop?: AbortSignal;
  /** Hears what happens as it happens. What it throws is thrown again once everything has ended in good order. */
  readonly onEvent?: (event: SweepEvent) => void;
}

export interface PlanOptions extends ClusterOptions {
  /** What to sweep and how; the defaults of the command if omitted. */
  readonly policy?: Policy;
  /** Whether to look at pods that never started as well. */
  readonly includePending?: boolean;
  /** The pod that this program runs in, which is left alone. */
  readonly self?: { readonly namespace: string; readonly name: string };
}

/** A policy as in a file, without `apiVersion` and `kind`. Durations are text, such as `5m`. */
export type Policy = Omit<SweepPolicy, 'apiVersion' | 'kind'>;
