import type { Millis } from '../duration.ts';
import type { Evidence } from '../model/evidence.ts';
import type { ContainerView, Owner, PodName } from '../model/pod.ts';

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
