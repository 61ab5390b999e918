import type { Millis } from '../duration.ts';
import type { ContainerView } from '../vocabulary/container.ts';
import type { Evidence } from '../vocabulary/evidence.ts';
import type { Owner, PodName } from '../vocabulary/pod.ts';

/** What advice must know of a pod that is stuck. Every candidate is one. */
export interface StuckPod {
  readonly pod: AdvisedPod;
  readonly sidecars: readonly AdvisedSidecar[];
  readonly mainsEndedAt: Millis;
  /** It is known from a report, which has neither its annotations nor how its containers were started. */
  readonly isReported?: true;
}

interface AdvisedPod {
  readonly ref: PodName;
  readonly owner: Owner | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  readonly containers: readonly { readonly name: string }[];
  readonly initContainers: readonly unknown[];
  readonly nativeSidecars: readonly unknown[];
}

interface AdvisedSidecar {
  readonly because: Evidence;
  readonly container: Pick<ContainerView, 'name' | 'image' | 'command' | 'args' | 'env' | 'restartPolicy'>;
}
