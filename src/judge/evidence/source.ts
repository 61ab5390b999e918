import type { Statement } from '../../model/evidence.ts';
import type { Facts } from '../../model/facts.ts';
import type { ContainerView, PodView } from '../../model/pod.ts';
import type { Policy } from '../../policy/policy.ts';

/** What sources of evidence may use besides the pod. */
export interface Known {
  readonly policy: Pick<Policy, 'rules' | 'catalogue' | 'swap' | 'lastResort'>;
  readonly facts: Pick<Facts, 'jobContainers'>;
}

/**
 * Reads a pod once, however many containers it has, and then says of each what it shows; undefined if it shows nothing.
 */
export type Source = (pod: PodView, known: Known) => (container: ContainerView) => Statement | undefined;
