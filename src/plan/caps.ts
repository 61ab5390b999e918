import type { CapReason } from '../model/outcome.ts';
import type { Caps } from '../policy/policy.ts';
import { withRotation } from './order.ts';
import { lastResortFor, mayBeSent, type PodPlan, type SweepPlan, stepsFor } from './sweep-plan.ts';

/** The pods that a sweep acts on, and those that it leaves for the next one. */
export interface Capped {
  readonly taken: readonly PodPlan[];
  readonly left: readonly LeftPod[];
}

interface LeftPod {
  readonly plan: PodPlan;
  readonly reason: CapReason;
}

/** Takes pods in their order up to the caps. Pods that nothing is sent to do not count. */
export function withinCaps({ pods, asOf }: SweepPlan, caps: Caps, count = new CapCount(caps)): Capped {
  if (Object.values(caps).every((most) => most === undefined)) return { taken: pods, left: [] };
  const taken = new Set<PodPlan>();
  const left: LeftPod[] = [];
  for (const plan of withRotation(pods, asOf)) {
    const acts = mayAct(plan);
    const reason = acts ? count.exceededBy(plan) : undefined;
    if (reason !== undefined) {
      left.push({ plan, reason });
      continue;
    }
    if (acts) count.take(plan);
    taken.add(plan);
  }
  return { taken: pods.filter((pod) => taken.has(pod)), left };
}

/** Whether the sweep may send anything to a pod. */
export function mayAct(plan: PodPlan): boolean {
  return plan.targets.some(
    (target) =>
      target.kind === 'Planned' &&
      [...stepsFor(target, plan), ...lastResortFor(target, plan)].some(mayBeSent),
  );
}

/** How many pods were taken, for each cap. */
export class CapCount {
  #pods = 0;
  readonly #ofNamespace = new Map<string, number>();
  readonly #ofNode = new Map<string, number>();

  constructor(private readonly caps: Caps) {}

  /** The cap that leaves a pod out, the widest one first; undefined if none does. */
  exceededBy({ candidate }: PodPlan): CapReason | undefined {
    const { ref, node } = candidate.pod;
    const { run = Infinity, namespace = Infinity, node: ofNode = Infinity } = this.caps;
    if (this.#pods >= run) return 'OverMaxPods';
    if ((this.#ofNamespace.get(ref.namespace) ?? 0) >= namespace) return 'OverMaxPodsPerNamespace';
    if (node !== undefined && (this.#ofNode.get(node) ?? 0) >= ofNode) return 'OverMaxPodsPerNode';
    return undefined;
  }

  take({ candidate }: PodPlan): void {
    const { ref, node = '' } = candidate.pod;
    this.#pods++;
    this.#ofNamespace.set(ref.namespace, (this.#ofNamespace.get(ref.namespace) ?? 0) + 1);
    this.#ofNode.set(node, (this.#ofNode.get(node) ?? 0) + 1);
  }
}
