import type { ContainerOutcome, SkipReason } from '../model/outcome.ts';
import type { Verdict } from '../model/verdict.ts';
import type { LeftPod } from './caps.ts';
import type { Attempt, PodConclusion, TargetConclusion } from './sweep-event.ts';
import type { PodPlan } from './sweep-plan.ts';

/** The conclusion of a pod that a cap leaves for the next sweep. */
export function concludeLeft({ plan, reason }: LeftPod): PodConclusion {
  const outcome = { kind: 'NotAttempted', reason } as const;
  const targets = plan.targets.map((target) =>
    untouched(target.container, target.kind === 'Skipped' ? target.outcome : outcome),
  );
  return { pod: plan.candidate.pod.ref, targets, outcome };
}

/** The conclusion of a pod that could not be planned because of an error. */
export function concludeUnplanned(
  { pod, sidecars }: Pick<PodPlan['candidate'], 'pod' | 'sidecars'>,
  problem: string,
): PodConclusion {
  const outcome = { kind: 'Skipped', reason: { kind: 'Undecided', problem } } as const;
  const targets = sidecars.map(({ container }) => untouched(container.name, outcome));
  return { pod: pod.ref, targets, outcome };
}

/** The steps that were sent to sidecars of a pod. */
export interface Reported {
  readonly containers: readonly string[];
  readonly attempt: Attempt;
}

/** The conclusion of a pod whose sweep ended with an error: the effect of the steps that were sent is not proved. */
export function concludeFault(
  { candidate, targets }: PodPlan,
  reported: readonly Reported[],
  problem: string,
): PodConclusion {
  const concluded = targets.map((target): TargetConclusion => {
    const own = attemptsIn(reported.filter(({ containers }) => containers.includes(target.container)));
    const outcome = target.kind === 'Skipped' ? target.outcome : afterFault(own, problem);
    return { ...untouched(target.container, outcome), attempts: own };
  });
  return { pod: candidate.pod.ref, targets: concluded, outcome: afterFault(attemptsIn(reported), problem) };
}

const attemptsIn = (reported: readonly Reported[]) => reported.map(({ attempt }) => attempt);

function afterFault(attempts: readonly Attempt[], problem: string) {
  const wasSent = attempts.some(({ result }) => result.kind !== 'Blocked');
  if (wasSent) return { kind: 'Unproven', problem } as const;
  return { kind: 'NotAttempted', reason: 'InternalError' } as const;
}

function untouched(container: string, outcome: ContainerOutcome): TargetConclusion {
  return { container, attempts: [], outcome, endedAt: undefined };
}

/** Why nothing is sent to a pod that is judged once more before a step; undefined if it is still stuck. */
export function whyNoLonger(verdict: Verdict): SkipReason | undefined {
  switch (verdict.kind) {
    case 'Candidate':
      return undefined;
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
