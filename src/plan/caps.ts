import type { CapReason } from '../model/outcome.ts';
import type { Caps } from '../policy/policy.ts';
import { withLots } from './lots.ts';
import { Room } from './room.ts';
import { stakeOf } from './stake.ts';
import type { PodPlan, SweepPlan } from './sweep-plan.ts';
import { mayAct, trialsOf } from './trials.ts';

/** The pods that a sweep acts on, and those that it leaves for the next one. */
export interface Capped {
  readonly taken: readonly PodPlan[];
  readonly left: readonly LeftPod[];
}

export interface LeftPod {
  readonly plan: PodPlan;
  readonly reason: CapReason;
}

/**
 * Takes pods in their order for as long as the caps leave room. What must be tried in one pod first takes its canary before all
 * others: the one that the guard would choose without caps, or the next cheapest for which there is room. If there is room for
 * none, those that would wait for it are left as well. Pods that nothing is sent to need no room.
 */
export function withinCaps({ pods, asOf }: SweepPlan, caps: Caps): Capped {
  if (Object.values(caps).every((most) => most === undefined)) return { taken: pods, left: [] };
  const room = new Room(caps);
  const leaders = leadersOf(pods);
  const led = new Map<string, CapReason | undefined>();
  const taken = new Set<PodPlan>();
  const left: LeftPod[] = [];
  const take = (pod: PodPlan) => {
    if (mayAct(pod) && !taken.has(pod)) room.take(pod);
    taken.add(pod);
  };
  /** Takes the pod that tries first, if none was taken yet; returns the cap that keeps every one of them out. */
  const lead = (trial: string): CapReason | undefined => {
    if (led.has(trial)) return led.get(trial);
    const able = leaders.get(trial) ?? [];
    const leader = able.find((pod) => taken.has(pod) || room.lacksFor(pod) === undefined);
    if (leader) take(leader);
    const [first] = able;
    const reason = leader || !first ? undefined : room.lacksFor(first);
    led.set(trial, reason);
    return reason;
  };
  for (const pod of withLots(pods, asOf)) {
    const leaderless = trialsOf(pod).map(({ name }) => lead(name));
    if (taken.has(pod)) continue;
    const reason = mayAct(pod)
      ? (room.lacksFor(pod) ?? leaderless.find((one) => one !== undefined))
      : undefined;
    if (reason === undefined) take(pod);
    else left.push({ plan: pod, reason });
  }
  return { taken: pods.filter((pod) => taken.has(pod)), left };
}

/** The pods that may try first, by trial, the cheapest ones first, else in their order. */
function leadersOf(pods: readonly PodPlan[]): ReadonlyMap<string, readonly PodPlan[]> {
  const leaders = new Map<string, PodPlan[]>();
  const cheapestFirst = [...pods].sort((a, b) => stakeOf(a) - stakeOf(b));
  for (const pod of cheapestFirst) {
    for (const { name, mayLead } of trialsOf(pod)) {
      if (!mayLead) continue;
      const known = leaders.get(name);
      if (known) known.push(pod);
      else leaders.set(name, [pod]);
    }
  }
  return leaders;
}
