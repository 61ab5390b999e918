import type { Policy } from '../../policy/policy.ts';
import type { ContainerView } from '../../vocabulary/container.ts';
import type { Statement } from '../../vocabulary/evidence.ts';
import type { Facts } from '../../vocabulary/facts.ts';
import type { PodView } from '../../vocabulary/pod.ts';

/** What sources of evidence may use besides the pod. */
export interface Known {
  readonly policy: Pick<Policy, 'rules' | 'catalogue' | 'swap' | 'lastResort'>;
  readonly facts: Pick<Facts, 'jobContainers'>;
}

/**
 * Reads a pod once, however many containers it has, and then says of each what it shows; undefined if it shows nothing.
 */
export type Source = (pod: PodView, known: Known) => (container: ContainerView) => Statement | undefined;
