import type { Millis } from '../util/time.ts';
import type { PodPlan } from './sweep-plan.ts';
import { wasteOf } from './waste.ts';

/**
 * The order in which pods get their turn. Namespaces alternate, so that one with thousands of pods does not keep another's only
 * pod waiting. The pods that waste most go first, within a namespace and within a round of all namespaces.
 */
export function inFairOrder(pods: readonly PodPlan[], asOf: Millis | undefined): readonly PodPlan[] {
  const byWaste = pods
    .map((pod) => ({ pod, waste: wasteOf(pod.candidate, asOf) }))
    .sort((one, other) => other.waste - one.waste);
  const rounds = new Map<string, number>();
  const placed = byWaste.map(({ pod, waste }) => {
    const { namespace } = pod.candidate.pod.ref;
    const round = rounds.get(namespace) ?? 0;
    rounds.set(namespace, round + 1);
    return { pod, waste, round };
  });
  return placed
    .sort((one, other) => one.round - other.round || other.waste - one.waste)
    .map(({ pod }) => pod);
}
