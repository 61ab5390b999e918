import type { Millis } from '../duration.ts';
import type { Policy } from '../policy/policy.ts';
import type { Explanation } from '../vocabulary/explanation.ts';
import type { Facts } from '../vocabulary/facts.ts';
import type { PodView } from '../vocabulary/pod.ts';
import { checkAll } from './checks.ts';
import { judge, subjectOf } from './judge.ts';
import { evidenceIn } from './roles.ts';

/** Judges a pod as a sweep does, and adds the evidence and the result of every check. */
export function explain(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): Explanation {
  const verdict = judge(pod, policy, now, facts);
  return {
    verdict,
    containers: evidenceIn(pod, { policy, facts }),
    checks: verdict.kind === 'Undecided' ? [] : checkAll(subjectOf(pod, policy, now, facts)),
  };
}
