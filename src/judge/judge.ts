import { summarized } from '../model/bounds.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import { type Facts, faultOf } from '../model/reading.ts';
import { cannotStart, isNoop, isSwapped, startError } from '../model/swap.ts';
import type { EndedMain, Exclusion, Explanation, JudgedContainer, Verdict } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import type { Millis } from '../util/time.ts';
import { checkAll, type JudgedPod, lastEnd, overBounds } from './checks.ts';
import { findHang } from './hangs.ts';
import { assignRoles, evidenceIn, remarksOn } from './roles.ts';

/** Decides whether only sidecars keep a pod from ending, or why not. An error makes only this pod undecided. */
export function judge(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): Verdict {
  try {
    return decide(pod, policy, now, facts);
  } catch (error) {
    const { message, stack } = faultOf('judging', error);
    return { kind: 'Undecided', pod, problem: `internal error: ${message}`, stack };
  }
}

/** Judges a pod as a sweep does, and adds the evidence, the result of every check, and remarks. */
export function explain(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): Explanation {
  const verdict = judge(pod, policy, now, facts);
  return {
    verdict,
    containers: evidenceIn(pod, { policy, facts }),
    checks: verdict.kind === 'Undecided' ? [] : checkAll(withRoles(pod, policy, now, facts)),
    remarks: remarksOn(pod),
  };
}

function decide(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): Verdict {
  // Nothing else is examined: there may be any number of it.
  const tooMuch = overBounds(pod);
  if (tooMuch.length > 0) return { kind: 'Excluded', pod, because: tooMuch };
  if (pod.statusProblems.length > 0) {
    return { kind: 'Undecided', pod, problem: summarized(pod.statusProblems) };
  }
  const judged = withRoles(pod, policy, now, facts);
  const because = checkAll(judged).flatMap(({ found }) => found);
  const mainsEndedAt = lastEnd(judged.mains.map(({ container }) => container));
  // If it is unknown when the mains ended, there is always a reason to leave the pod alone.
  if (mainsEndedAt !== undefined) {
    const mains = judged.mains.flatMap(toEndedMain);
    const stuck = { pod, mains, sidecars: judged.sidecars, mainsEndedAt };
    if (because.length === 0) return { kind: 'Candidate', ...stuck };
    if (isNeverStarted(judged, because)) return { kind: 'NeverStarted', ...stuck };
    if (isNotStartedAgain(judged, because)) return { kind: 'NotStartedAgain', ...stuck };
  }
  const hang = findHang(judged, because);
  return hang ? { kind: 'Hanging', pod, because, ...hang } : { kind: 'Excluded', pod, because };
}

function withRoles(pod: PodView, policy: Policy, now: Millis | undefined, facts: Facts): JudgedPod {
  const containers = assignRoles(pod, { policy, facts });
  const mains = containers.filter(({ role }) => role === 'Main');
  const sidecars = containers.filter(({ role }) => role === 'Sidecar');
  return { pod, mains, sidecars, policy, facts, now };
}

/** A main and when it ended; empty if it has not ended, or the time is missing. */
function toEndedMain({ container, because }: JudgedContainer): readonly EndedMain[] {
  const { name, image, state } = container;
  if (state.kind !== 'Terminated' || state.finishedAt === undefined) return [];
  return [{ name, image, because, exitCode: state.exitCode, endedAt: state.finishedAt }];
}

/**
 * A pod stays Pending until each of its containers has started once, even after its mains have ended. A
 * sidecar whose image cannot be pulled therefore keeps the pod from ending, as a running one does.
 */
function isNeverStarted({ pod, sidecars, policy }: JudgedPod, because: readonly Exclusion[]): boolean {
  return (
    policy.scope.includePending === true &&
    pod.phase === 'Pending' &&
    sidecars.some(({ container }) => container.state.kind === 'Waiting') &&
    because.every(({ kind }) => kind === 'NotRunning' || kind === 'NoRunningSidecar')
  );
}

/** As after a swap for an image that cannot be pulled. A pod in phase Running has started each of its containers once. */
function isNotStartedAgain({ sidecars, policy }: JudgedPod, because: readonly Exclusion[]): boolean {
  return (
    because.every(({ kind }) => kind === 'NoRunningSidecar') &&
    // Admission may have rewritten the image of a swap, so that its name alone is not enough.
    sidecars.some(({ container }) => cannotStart(container) || waitsForNoop(container, policy.noopImages))
  );
}

/** Whether a sidecar waits for a no-op image, or because that lacks its program. */
function waitsForNoop(container: ContainerView, noops: readonly string[]): boolean {
  if (container.state.kind !== 'Waiting') return false;
  const lacksProgram = isNoop(container, noops) && container.lastExitCode === startError;
  return lacksProgram || isSwapped(container, noops);
}
