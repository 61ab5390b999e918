import type { Millis } from '../../duration.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Exclusion } from '../../vocabulary/exclusion.ts';
import type { Facts } from '../../vocabulary/facts.ts';
import type { PodView } from '../../vocabulary/pod.ts';
import type { JudgedContainer } from '../../vocabulary/verdict.ts';

/** Everything that a check may use: the pod with its containers' roles, the policy and the facts. */
export interface Subject {
  readonly pod: PodView;
  readonly mains: readonly JudgedContainer[];
  readonly sidecars: readonly JudgedContainer[];
  readonly policy: Policy;
  readonly facts: Facts;
  /** The server's time; undefined if unknown. */
  readonly now: Millis | undefined;
}

/** Pods of which nothing has ended are left out as they are listed. */
export type ExclusionKind = Exclude<Exclusion['kind'], 'NothingEnded'>;

/** Looks for one reason to leave a pod alone; returns every occurrence of it. */
export type Check<K extends ExclusionKind> = (
  subject: Subject,
) => readonly Extract<Exclusion, { readonly kind: K }>[];
