import type { ContainerView } from './container.ts';
import type { Statement } from './evidence.ts';
import type { Exclusion } from './exclusion.ts';
import type { Verdict } from './verdict.ts';

/** The result of one check. The pod passes if nothing is found. */
export interface Checked {
  readonly kind: Exclusion['kind'];
  readonly found: readonly Exclusion[];
}

/** The verdict on a pod, and how it came about. */
export interface Explanation {
  readonly verdict: Verdict;
  readonly containers: readonly ExplainedContainer[];
  /** The result of every check; empty if the pod cannot be judged. */
  readonly checks: readonly Checked[];
}

export interface ExplainedContainer {
  readonly container: ContainerView;
  /** Every statement about it; the first one decides. */
  readonly evidence: readonly [Statement, ...Statement[]];
}
