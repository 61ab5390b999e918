import type { CapReason } from '../model/outcome.ts';
import type { Caps } from '../policy/policy.ts';
import { isCleared } from './clearance.ts';
import { withLots } from './lots.ts';
import { Room } from './room.ts';
import { stepsFor } from './steps-for.ts';
import type { PodPlan, SweepPlan } from './sweep-plan.ts';

/** The pods that a sweep acts on, and those that it leaves for the next one. */
export interface Capped {
  readonly taken: readonly PodPlan[];
  readonly left: readonly LeftPod[];
}

export interface LeftPod {
  readonly plan: PodPlan;
  readonly reason: CapReason;
}

/** Takes pods in their order for as long as the caps leave room. Pods that nothing is sent to need no room. */
export function withinCaps({ pods, asOf }: SweepPlan, caps: Caps): Capped {
  if (Object.values(caps).every((most) => most === undefined)) return { taken: pods, left: [] };
  const room = new Room(caps);
  const taken = new Set<PodPlan>();
  const left: LeftPod[] = [];
  for (const plan of withLots(pods, asOf)) {
    const acts = mayAct(plan);
    const reason = acts ? room.lacksFor(plan) : undefined;
    if (reason !== undefined) {
      left.push({ plan, reason });
      continue;
    }
    if (acts) room.take(plan);
    taken.add(plan);
  }
  return { taken: pods.filter((pod) => taken.has(pod)), left };
}

/** Whether the sweep may send anything to a pod. */
function mayAct(plan: PodPlan): boolean {
  return plan.targets.some(
    (target) => target.kind === 'Planned' && [...stepsFor(target, plan), ...plan.lastResort].some(isCleared),
  );
}
