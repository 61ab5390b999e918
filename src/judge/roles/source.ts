import type { ContainerView, Facts, PodView, Policy, Statement } from '../../vocabulary.ts';

/** What sources of evidence may look at. */
export interface Known {
  readonly policy: Pick<Policy, 'rules' | 'catalogue'>;
  readonly facts: Pick<Facts, 'jobContainers'>;
}

/** What a source of evidence says of a container; undefined when it says nothing. */
export type Source = (container: ContainerView, pod: PodView, known: Known) => Statement | undefined;
