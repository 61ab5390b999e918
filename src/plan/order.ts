import type { ContainerView, PodView } from '../model/pod.ts';
import { shows } from '../model/signs.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Profile } from '../policy/profile.ts';
import type { Millis } from '../util/time.ts';
import { firstStepFor, type PodPlan, type SkippedTarget, type Target, type Turn } from './sweep-plan.ts';

/**
 * Namespaces alternate, so that one with thousands of pods does not keep another's only pod waiting. Within a namespace, and within a
 * round of all of them, the pods that waste most go first.
 */
export function inFairOrder(pods: readonly PodPlan[], asOf: Millis | undefined): readonly PodPlan[] {
  const byWaste = pods.toSorted(
    (one, other) => wasteOf(other.candidate, asOf) - wasteOf(one.candidate, asOf),
  );
  return inRounds(byWaste, ({ candidate }) => candidate.pod.ref.namespace);
}

/** The first of each namespace, then the second of each, and so on; within a round, the order stays. */
export function inRounds<T>(all: readonly T[], namespaceOf: (one: T) => string): readonly T[] {
  const rounds = new Map<string, number>();
  const placed = all.map((one) => {
    const namespace = namespaceOf(one);
    const round = rounds.get(namespace) ?? 0;
    rounds.set(namespace, round + 1);
    return { one, round };
  });
  return placed.sort((a, b) => a.round - b.round).map(({ one }) => one);
}

/** One place in this many rotates. */
const placesPerTurn = 4;
/** Multiples of it are spread most evenly over the fractions, whatever the time between sweeps. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/** Every fourth place rotates: otherwise pods that no step ends would always come first and, with a cap, be the only ones. */
export function withRotation(pods: readonly PodPlan[], asOf: Millis | undefined): readonly PodPlan[] {
  const rotated = rotatedAt(asOf ?? 0, pods).values();
  const ordered = pods.values();
  const placed = new Set<PodPlan>();
  while (placed.size < pods.length) {
    const from = placed.size % placesPerTurn === placesPerTurn - 1 ? rotated : ordered;
    const { value: pod } = from.next();
    if (pod) placed.add(pod);
  }
  return [...placed];
}

/** By uid, which is random, from a place that the time decides. */
function rotatedAt(asOf: Millis, pods: readonly PodPlan[]): readonly PodPlan[] {
  const byUid = [...pods].sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
  const first = Math.floor((((asOf / 1000) * goldenRatio) % 1) * pods.length);
  return [...byUid.slice(first), ...byUid.slice(0, first)];
}

function uidOf({ candidate }: PodPlan): string {
  return candidate.pod.ref.uid;
}

/** Machines for general purposes have about 4 GiB for each core. */
const memoryOfCore = 4 * 1024 ** 3;
/** In cores. Even without requests, a pod takes one of its node's places and an address. */
const leastShare = 0.01;

/** The waste of a stuck pod so far: the time since its last main ended, times what its node reserves for it. */
export function wasteOf(
  { pod, mainsEndedAt }: Pick<Candidate, 'pod' | 'mainsEndedAt'>,
  asOf: Millis | undefined,
): number {
  const { cpu, memory } = pod.requests;
  const stuckFor = Math.max((asOf ?? mainsEndedAt) - mainsEndedAt, 0);
  return stuckFor * Math.max(cpu + memory / memoryOfCore, leastShare);
}

/** When a sidecar is ended, after those that may talk through it. */
export function turnOf(profile: Profile | undefined, pod: PodView, container: ContainerView): Turn {
  const { mesh, tunnel, endsLast = [] } = profile ?? {};
  if (mesh || endsLast === true || endsLast.some((sign) => shows(sign, pod, container))) return 2;
  return tunnel ? 1 : 0;
}

/** Whether a sidecar to which nothing is sent may still talk through the proxies of a turn: it runs, or may start again. */
export function staysBefore(
  { outcome, turn }: Pick<SkippedTarget, 'outcome' | 'turn'>,
  through: Turn,
): boolean {
  return outcome.kind !== 'AlreadyEnded' && turn < through;
}

type Drawn = Pick<PodPlan, 'targets' | 'swap' | 'lastResort'>;

/** Skips the proxies of sidecars to which nothing may be sent: while those run, their proxies are never asked to end. */
export function withoutCarriers(plan: Drawn): Drawn {
  const mayEnd = (target: Target) => firstStepFor(target, plan) !== undefined;
  const isHeld = ({ turn }: Target) =>
    plan.targets.some((one) =>
      one.kind === 'Skipped' ? staysBefore(one, turn) : one.turn < turn && !mayEnd(one),
    );
  const targets = plan.targets.map((target): Target => {
    if (!mayEnd(target) || !isHeld(target)) return target;
    const { container, containerId, turn, unfit } = target;
    const outcome = { kind: 'StillRunning', because: { kind: 'CarriesOthers' } } as const;
    return { kind: 'Skipped', container, containerId, turn, outcome, unfit };
  });
  const lastResort = targets.some(({ kind }) => kind === 'Planned') ? plan.lastResort : [];
  return { ...plan, targets, lastResort };
}
