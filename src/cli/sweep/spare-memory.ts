import { setFlagsFromString } from 'node:v8';
import type { SweepEvent } from '../../events.ts';

/** What a sweep of fewer pods holds at once fits into the limit of the manifests several times. */
const manyPods = 2_000;
/** V8 lets the heap grow to several times what is in use, and then collects rarely. This costs a fifth more CPU time. */
const frugal = '--heap-growing-percent=30';

/** Has garbage collected more often once a sweep has planned so much that its memory would grow large. */
export function spareMemory(event: SweepEvent): void {
  if (event.kind === 'PlanMade' && event.plan.pods.length >= manyPods) setFlagsFromString(frugal);
}
