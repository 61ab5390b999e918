import { summarized } from '../model/bounds.ts';
import { cannotStart } from '../model/image.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import type { Facts } from '../model/reading.ts';
import { faultOf } from '../model/reading.ts';
import type { Candidate, Exclusion, Explanation, Verdict } from '../model/verdict.ts';
import { noopImages } from '../policy/noop-images.ts';
import type { Policy } from '../policy/policy.ts';
import type { Millis } from '../util/time.ts';
import { checkAll, findExclusions, lastEnd, overBounds, type Subject, toEndedMain } from './checks.ts';
import { findHang } from './hangs.ts';
import { assignRoles, evidenceIn, remarksOn } from './roles.ts';

/**
 * Whether only sidecars that have ended and cannot start again keep a pod from ending, as after a swap for an image that cannot
 * be pulled. A pod in phase Running has started each of its containers once.
 */
function isNotStartedAgain({ sidecars, policy }: Subject, because: readonly Exclusion[]): boolean {
  return (
    because.every(({ kind }) => kind === 'NoRunningSidecar') &&
    sidecars.some(({ container }) => waitsForImage(container, policy))
  );
}

/** Admission may have rewritten the image of a swap, so that its name alone does not tell. */
function waitsForImage(container: ContainerView, policy: Policy): boolean {
  if (container.state.kind !== 'Waiting') return false;
  return noopImages(policy).includes(container.image) || cannotStart(container);
}

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

/** Judges a pod as a sweep does, and adds the evidence and the result of every check. */
export function explain(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): Explanation {
  const verdict = judge(pod, policy, now, facts);
  return {
    verdict,
    containers: evidenceIn(pod, { policy, facts }),
    checks: verdict.kind === 'Undecided' ? [] : checkAll(subjectOf(pod, policy, now, facts)),
  };
}
