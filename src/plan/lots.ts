import type { Millis } from '../util/time.ts';
import type { PodPlan } from './sweep-plan.ts';

/** One place of so many goes by lot. */
const placesPerLot = 4;
/** Multiples of it are spread most evenly over the fractions, whatever the time between sweeps. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/**
 * Gives every fourth place to a pod that another one in each sweep is drawn for. Otherwise, the pods that nothing ends would be
 * the first ones again each time, and with a cap, no others would ever get their turn.
 */
export function withLots(pods: readonly PodPlan[], asOf: Millis | undefined): readonly PodPlan[] {
  const drawn = drawnAt(asOf ?? 0, pods).values();
  const ordered = pods.values();
  const placed = new Set<PodPlan>();
  while (placed.size < pods.length) {
    const from = placed.size % placesPerLot === placesPerLot - 1 ? drawn : ordered;
    for (const pod of from) {
      if (placed.has(pod)) continue;
      placed.add(pod);
      break;
    }
  }
  return [...placed];
}

/** By uid, which is random, from a place that the time decides. */
function drawnAt(asOf: Millis, pods: readonly PodPlan[]): readonly PodPlan[] {
  const byUid = [...pods].sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
  const first = Math.floor((((asOf / 1000) * goldenRatio) % 1) * pods.length);
  return [...byUid.slice(first), ...byUid.slice(0, first)];
}

function uidOf({ candidate }: PodPlan): string {
  return candidate.pod.ref.uid;
}
