import type { CapReason } from '../model/outcome.ts';
import type { Warning } from '../model/warning.ts';
import type { Policy } from '../policy/policy.ts';
import { distinct, groupsOf } from '../util/groups.ts';
import { withRotation } from './order.ts';
import { firstStepFor, type PodPlan, type SweepPlan } from './sweep-plan.ts';

/** Whether the sweep may send anything to a pod. */
export function mayAct(plan: PodPlan): boolean {
  return plan.targets.some((target) => firstStepFor(target, plan) !== undefined);
}

type Caps = Pick<Policy, 'maxPods' | 'maxPodsPerNamespace' | 'maxPodsPerNode'>;

/** Counts the pods that a sweep acts on, over all portions of its plan. Pods that nothing is sent to do not count. */
export class CapCount {
  #pods = 0;
  readonly #ofNamespace = new Map<string, number>();
  readonly #ofNode = new Map<string, number>();

  constructor(private readonly caps: Caps) {}

  /** Takes pods in their order up to the caps, and leaves the others for the next sweep. */
  take({ pods, asOf }: SweepPlan) {
    const taken = new Set<PodPlan>();
    const left: { readonly plan: PodPlan; readonly reason: CapReason }[] = [];
    for (const plan of withRotation(pods, asOf)) {
      const reason = mayAct(plan) ? this.#add(plan) : undefined;
      if (reason === undefined) taken.add(plan);
      else left.push({ plan, reason });
    }
    return { taken: pods.filter((pod) => taken.has(pod)), left };
  }

  /** Counts a pod, or returns the widest of the caps that leave it out. */
  #add({ candidate }: PodPlan): CapReason | undefined {
    const { ref, node = '' } = candidate.pod;
    const { maxPods = Infinity, maxPodsPerNamespace = Infinity, maxPodsPerNode = Infinity } = this.caps;
    const inNamespace = this.#ofNamespace.get(ref.namespace) ?? 0;
    const onNode = this.#ofNode.get(node) ?? 0;
    if (this.#pods >= maxPods) return 'OverMaxPods';
    if (inNamespace >= maxPodsPerNamespace) return 'OverMaxPodsPerNamespace';
    if (node !== '' && onNode >= maxPodsPerNode) return 'OverMaxPodsPerNode';
    this.#pods++;
    this.#ofNamespace.set(ref.namespace, inNamespace + 1);
    this.#ofNode.set(node, onNode + 1);
    return undefined;
  }
}

/** A share of few pods means nothing: one of two is half of the cluster. */
const fewestPodsForShare = 20;

type Braked = Extract<Warning, { readonly kind: 'Braked' }>;

/**
 * brakePods limits the pods that the sweep would act on. brakeShare limits the whole plan, with the pods that caps leave out, to a
 * percentage of the pods listed.
 */
export function brake(
  plan: SweepPlan,
  taken: readonly PodPlan[],
  listed: number,
  /** How many pods do not fit into the plan, and are swept after it. */
  later: number,
  { brakePods, brakeShare, maxPods = Infinity }: Pick<Policy, 'brakePods' | 'brakeShare' | 'maxPods'>,
): Braked | undefined {
  const planned = plan.pods.filter(isPlanned);
  const acted = taken.filter(mayAct);
  const sent = Math.min(acted.length + later, Math.max(maxPods, acted.length));
  const whole = planned.length + later;
  if (sent > brakePods) {
    const most = { limit: 'brakePods', most: brakePods } as const;
    return { kind: 'Braked', pods: sent, listed, ...busiestRule(acted), ...most };
  }
  if (whole >= fewestPodsForShare && (whole / Math.max(listed, 1)) * 100 > brakeShare) {
    const most = { limit: 'brakeShare', most: brakeShare } as const;
    return { kind: 'Braked', pods: whole, listed, ...busiestRule(planned), ...most };
  }
  return undefined;
}

function isPlanned({ targets }: PodPlan): boolean {
  return targets.some(({ kind }) => kind === 'Planned');
}

/** The rule that made containers sidecars in the most pods: if it is too broad, it is why there are so many. */
function busiestRule(pods: readonly PodPlan[]): Pick<Braked, 'rule' | 'byRule'> {
  const rules = pods.flatMap(({ candidate }) =>
    distinct(candidate.sidecars.flatMap(({ because }) => (because.kind === 'Rule' ? because.rule : []))),
  );
  const [most] = groupsOf(rules, (rule) => rule).toSorted((a, b) => b.length - a.length);
  return most ? { rule: most[0], byRule: most.length } : {};
}
