import type { Candidate, Exclusion, Facts, Millis, PodView, Policy, Verdict } from '../vocabulary.ts';
import type { Subject } from './checks/subject.ts';
import { findExclusions } from './checks.ts';
import { lastEnd, toEndedMain } from './ended-main.ts';
import { remarksOn } from './remarks.ts';
import { assignRoles } from './roles.ts';

/**
 * Whether only sidecars keep a pod from ending: a pure function of the pod, the policy, the server's time and what
 * else was read. Every reason against is given, not the first.
 */
export function judge(pod: PodView, policy: Policy, now: Millis, facts: Facts): Verdict {
  if (pod.statusProblems.length > 0) {
    return { kind: 'Undecided', pod, problem: pod.statusProblems.join('; ') };
  }
  const subject = subjectOf(pod, policy, now, facts);
  const because = findExclusions(subject);
  if (because.length === 0) return { kind: 'Candidate', ...whatIsStuck(subject) };
  if (isNeverStarted(subject, because)) return { kind: 'NeverStarted', ...whatIsStuck(subject) };
  return { kind: 'Excluded', pod, because, remarks: remarksOn(pod) };
}

/** A pod with its containers' roles, ready to be checked. */
export function subjectOf(pod: PodView, policy: Policy, now: Millis, facts: Facts): Subject {
  const judged = assignRoles(pod, { policy, facts });
  const mains = judged.filter(({ role }) => role === 'Main');
  const sidecars = judged.filter(({ role }) => role === 'Sidecar');
  return { pod, mains, sidecars, policy, facts, now };
}

function whatIsStuck({ pod, mains, sidecars }: Subject): Omit<Candidate, 'kind'> {
  return {
    pod,
    mains: mains.flatMap(toEndedMain),
    sidecars,
    mainsEndedAt: lastEnd(mains),
    remarks: remarksOn(pod),
  };
}

/**
 * A pod stays Pending until each of its containers has started once, also when its mains have long ended: one whose
 * sidecar's image cannot be pulled is as stuck as any other.
 */
function isNeverStarted({ pod, sidecars, policy }: Subject, because: readonly Exclusion[]): boolean {
  return (
    policy.scope.includePending === true &&
    pod.phase === 'Pending' &&
    sidecars.some(({ container }) => container.state.kind === 'Waiting') &&
    because.every(({ kind }) => kind === 'NotRunning' || kind === 'NoRunningSidecar')
  );
}
