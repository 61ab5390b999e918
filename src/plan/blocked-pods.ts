import type { BlockedReason } from '../model/outcome.ts';
import type { Warning } from '../model/warning.ts';
import type { Attempt, PodConclusion, TargetConclusion } from './sweep-event.ts';
import type { PodPlan } from './sweep-plan.ts';

type BlockedWarning = Extract<Warning, { readonly kind: 'Blocked' }>;

/** Counts the pods of which a sidecar was left because a step was blocked: one warning for each image, method and reason. */
export class BlockedPods {
  readonly #found = new Map<
    string,
    { readonly warning: Omit<BlockedWarning, 'pods'>; readonly pods: Set<string> }
  >();

  hear(plan: PodPlan, { pod, targets }: PodConclusion): void {
    for (const warning of targets.flatMap((target) => holdsOf(target, plan))) {
      const key = JSON.stringify(warning);
      const known = this.#found.get(key) ?? { warning, pods: new Set() };
      this.#found.set(key, known);
      known.pods.add(pod.uid);
    }
  }

  /** Those of most pods first, in an order that does not depend on which pod was concluded first. */
  warnings(): readonly Warning[] {
    return [...this.#found]
      .sort(([a, one], [b, other]) => other.pods.size - one.pods.size || (a < b ? -1 : 1))
      .map(([, { warning, pods }]) => ({ ...warning, pods: pods.size }));
  }
}

/** Why a sidecar was left; nothing if a later step reached it. */
function holdsOf(
  { container, attempts, outcome }: TargetConclusion,
  { targets }: PodPlan,
): readonly Omit<BlockedWarning, 'pods'>[] {
  const target = targets.find((one) => one.container === container);
  const wasLeft = outcome.kind === 'StillRunning' && outcome.because.kind === 'Blocked';
  if (!wasLeft || target?.kind !== 'Planned') return [];
  const { image } = target;
  return attempts.flatMap(({ step: { method }, result }) => {
    const reason = reasonOf(result);
    return reason === undefined ? [] : [{ kind: 'Blocked', image, method, reason }];
  });
}

/** There is nothing to decide about a step that is known to end unclean. */
function reasonOf(result: Attempt['result']): BlockedReason | undefined {
  return result.kind === 'Blocked' && result.reason !== 'KnownUnclean' ? result.reason : undefined;
}
