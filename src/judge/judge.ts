import type { Millis } from '../duration.ts';
import { faultOf } from '../fault.ts';
import { summarized } from '../pod/bounds.ts';
import { overBounds } from '../pod/over-bound.ts';
import type { Policy } from '../policy/policy.ts';
import type { Exclusion } from '../vocabulary/exclusion.ts';
import type { Facts } from '../vocabulary/facts.ts';
import type { PodView } from '../vocabulary/pod.ts';
import type { Candidate, Verdict } from '../vocabulary/verdict.ts';
import type { Subject } from './checks/subject.ts';
import { findExclusions } from './checks.ts';
import { lastEnd, toEndedMain } from './ended-main.ts';
import { findHang } from './hanging.ts';
import { isNotStartedAgain } from './not-started-again.ts';
import { remarksOn } from './remarks.ts';
import { assignRoles } from './roles.ts';

/**
 * Decides whether only sidecars keep a pod from ending. A pure function of the pod, the policy, the server's
 * time and the facts. If the pod is left alone, every reason is given, not only the first.
 * An error is the pod's own: all others are judged.
 */
export function judge(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): Verdict {
  try {
    return decide(pod, policy, now, facts);
  } catch (error) {
    const { message, stack } = faultOf('judging', error);
    return { kind: 'Undecided', pod, problem: `internal error: ${message}`, stack };
  }
}

function decide(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): Verdict {
  if (pod.statusProblems.length > 0) {
    return { kind: 'Undecided', pod, problem: summarized(pod.statusProblems) };
  }
  // Nothing else is looked at: there may be any number of it.
  const tooMuch = overBounds(pod);
  if (tooMuch.length > 0) return { kind: 'Excluded', pod, because: tooMuch, remarks: [] };
  const subject = subjectOf(pod, policy, now, facts);
  const because = findExclusions(subject);
  const stuck = whatIsStuck(subject);
  if (stuck && because.length === 0) return { kind: 'Candidate', ...stuck };
  if (stuck && isNeverStarted(subject, because)) return { kind: 'NeverStarted', ...stuck };
  if (stuck && isNotStartedAgain(subject, because)) return { kind: 'NotStartedAgain', ...stuck };
  const leftAlone = { pod, because, remarks: remarksOn(pod) };
  const hang = findHang(subject, because);
  return hang ? { kind: 'Hanging', ...leftAlone, ...hang } : { kind: 'Excluded', ...leftAlone };
}

/** A pod with its containers' roles, ready to be checked. */
export function subjectOf(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): Subject {
  const judged = assignRoles(pod, { policy, facts });
  const mains = judged.filter(({ role }) => role === 'Main');
  const sidecars = judged.filter(({ role }) => role === 'Sidecar');
  return { pod, mains, sidecars, policy, facts, now };
}

/** Undefined if it is unknown when the mains ended; then there is always a reason to leave the pod alone. */
function whatIsStuck({ pod, mains, sidecars }: Subject): Omit<Candidate, 'kind'> | undefined {
  const mainsEndedAt = lastEnd(mains);
  if (mainsEndedAt === undefined) return undefined;
  return { pod, mains: mains.flatMap(toEndedMain), sidecars, mainsEndedAt, remarks: remarksOn(pod) };
}

/**
 * A pod stays Pending until each of its containers has started once, even after its mains have ended. A
 * sidecar whose image cannot be pulled therefore keeps the pod from ending, as a running one does.
 */
function isNeverStarted({ pod, sidecars, policy }: Subject, because: readonly Exclusion[]): boolean {
  return (
    policy.scope.includePending === true &&
    pod.phase === 'Pending' &&
    sidecars.some(({ container }) => container.state.kind === 'Waiting') &&
    because.every(({ kind }) => kind === 'NotRunning' || kind === 'NoRunningSidecar')
  );
}
