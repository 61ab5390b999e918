import type { PodConclusion } from '../../../../src/plan/sweep-event.ts';
import type { PodPlan } from '../../../../src/plan/sweep-plan.ts';
import type { Pod, World } from '../../emulator/index.ts';

/** What is concluded to have ended or to be gone, and is there at that moment, whatever has happened to the pod. */
export function untrue(
  { pod, targets, outcome }: PodConclusion,
  plan: PodPlan | undefined,
  { store, kubelet }: World,
): readonly string[] {
  const running = targets.flatMap(({ container, outcome: { kind } }) => {
    const target = plan?.targets.find((one) => one.container === container);
    const id = kubelet.running(pod.uid, container)?.id;
    const isThatInstance = target?.kind === 'Planned' && id !== undefined && target.containerId.endsWith(id);
    return isOver(kind) && isThatInstance ? [`${pod.name}/${container} is reported ${kind} and runs`] : [];
  });
  const now = store.get<Pod>('pods', pod.namespace, pod.name);
  const phase = now?.metadata.uid === pod.uid ? now.status.phase : undefined;
  const isThere = (outcome.kind === 'Gone' || outcome.kind === 'Replaced') && phase !== undefined;
  const isOpen = outcome.kind === 'Ended' && phase !== undefined && phase !== outcome.phase;
  return isThere || isOpen
    ? [...running, `${pod.name} is reported ${outcome.kind} and is ${phase}`]
    : running;
}

type OutcomeKind = PodConclusion['targets'][number]['outcome']['kind'];

function isOver(kind: OutcomeKind): boolean {
  return kind === 'Stopped' || kind === 'Restarted' || kind === 'Gone' || kind === 'Replaced';
}
