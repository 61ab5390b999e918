import type { Policy } from '../../policy/policy.ts';
import type { ContainerView, Facts, PodView, Statement } from '../../vocabulary.ts';

/** What sources of evidence may use besides the pod. */
export interface Known {
  readonly policy: Pick<Policy, 'rules' | 'catalogue'>;
  readonly facts: Pick<Facts, 'jobContainers'>;
}

/** What a source of evidence says about a container; undefined if it says nothing. */
export type Source = (container: ContainerView, pod: PodView, known: Known) => Statement | undefined;
