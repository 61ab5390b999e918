import type { LeftPod } from '../plan/caps.ts';
import type { PodConclusion, TargetConclusion } from '../plan/sweep-event.ts';

/** The conclusion of a pod that a cap leaves for the next sweep. */
export function concludeLeft({ plan, reason }: LeftPod): PodConclusion {
  const outcome = { kind: 'NotAttempted', reason } as const;
  const targets = plan.targets.map((target): TargetConclusion => {
    const { container } = target;
    const own = target.kind === 'Skipped' ? target.outcome : outcome;
    return { container, attempts: [], outcome: own, endedAt: undefined };
  });
  return { pod: plan.candidate.pod.ref, targets, outcome };
}
