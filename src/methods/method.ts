import type { Cluster } from '../ports.ts';
import type { AttemptResult, ContainerStep, PodRef, PodStep } from '../vocabulary.ts';

/** A rule of a Role, as RBAC writes it. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Common {
  /** What it is called on the command line and in a policy. */
  readonly flag: string;
  /** The least that it needs. */
  readonly rbac: readonly Rule[];
  /** What it costs whoever uses it, in a sentence; empty for what ends the container alone. */
  readonly price: string;
}

/** A way to end one container. */
export interface ContainerMethod<S extends ContainerStep> extends Common {
  send(
    cluster: Cluster,
    pod: PodRef,
    container: string,
    step: S,
    signal: AbortSignal,
  ): Promise<AttemptResult>;
}

/** A way to end what is left in a pod: all its sidecars by one request. */
export interface PodMethod<S extends PodStep> extends Common {
  send(
    cluster: Cluster,
    pod: PodRef,
    containers: readonly string[],
    step: S,
    signal: AbortSignal,
  ): Promise<AttemptResult>;
}

export const execRule: Rule = { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] };
