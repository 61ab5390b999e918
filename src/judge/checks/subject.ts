import type { Exclusion, Facts, JudgedContainer, Millis, PodView, Policy } from '../../vocabulary.ts';

/** All that a check may look at: the pod with its containers' roles, and what it is judged by. */
export interface Subject {
  readonly pod: PodView;
  readonly mains: readonly JudgedContainer[];
  readonly sidecars: readonly JudgedContainer[];
  readonly policy: Policy;
  readonly facts: Facts;
  readonly now: Millis;
}

export type ExclusionKind = Exclusion['kind'];

/** Looks for one reason to leave a pod alone; gives it as often as it is found. */
export type Check<K extends ExclusionKind> = (
  subject: Subject,
) => readonly Extract<Exclusion, { readonly kind: K }>[];
