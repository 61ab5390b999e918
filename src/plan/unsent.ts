import type { ContainerOutcome, NotAttemptedReason, PodOutcome, SkipReason } from '../model/outcome.ts';
import type { Candidate, Verdict } from '../model/verdict.ts';
import type { Attempt, PodConclusion, TargetConclusion } from './sweep-event.ts';
import type { PodPlan } from './sweep-plan.ts';

export function concludeUnplanned(
  { pod, sidecars }: Candidate,
  outcome: ContainerOutcome & PodOutcome,
): PodConclusion {
  const targets = sidecars.map(({ container }) => untouched(container.name, outcome));
  return { pod: pod.ref, targets, outcome };
}

/** The steps that were sent to sidecars of a pod. */
export interface Reported {
  readonly containers: readonly string[];
  readonly attempt: Attempt;
}

interface Sent {
  readonly reported: readonly Reported[];
  /** Whether more may have been sent than was reported. */
  readonly isCut?: boolean;
  readonly problem: string;
}

/** The conclusion of a pod that was not read again: the effect of the steps that were sent is not proved. */
export function concludeUnread(
  { candidate, targets }: PodPlan,
  reason: NotAttemptedReason,
  { reported, isCut = false, problem }: Sent = { reported: [], problem: '' },
): PodConclusion {
  const unsent = { kind: 'NotAttempted', reason } as const;
  const unproven = { kind: 'Unproven', problem } as const;
  const concluded = targets.map((target): TargetConclusion => {
    const { container } = target;
    const own = reported.filter(({ containers }) => containers.includes(container));
    const attempts = own.map(({ attempt }) => attempt);
    const wasSent = isCut || attempts.some(({ result }) => result.kind !== 'Blocked');
    const outcome = target.kind === 'Skipped' ? target.outcome : wasSent ? unproven : unsent;
    return { ...untouched(container, outcome), attempts };
  });
  const outcome = concluded.some((one) => one.outcome === unproven) ? unproven : unsent;
  return { pod: candidate.pod.ref, targets: concluded, outcome };
}

function untouched(container: string, outcome: ContainerOutcome): TargetConclusion {
  return { container, attempts: [], outcome, endedAt: undefined };
}

/** Why nothing is sent to a pod that is no longer stuck when it is judged once more before a step. */
export function whyNoLonger(verdict: Exclude<Verdict, Candidate>): SkipReason {
  switch (verdict.kind) {
    case 'NeverStarted':
      return { kind: 'NoLongerCandidate', because: [{ kind: 'NotRunning', phase: verdict.pod.phase }] };
    case 'NotStartedAgain':
      return { kind: 'NoLongerCandidate', because: [{ kind: 'NoRunningSidecar' }] };
    case 'Undecided':
      return { kind: 'Undecided', problem: verdict.problem };
    case 'Hanging':
    case 'Excluded':
      return { kind: 'NoLongerCandidate', because: verdict.because };
  }
}
