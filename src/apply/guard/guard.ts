import type { HeldReason } from '../../model/outcome.ts';
import type { PodRef } from '../../model/pod.ts';
import type { Observation } from '../../model/reading.ts';
import { stakeOf } from '../../plan/stake.ts';
import type { Attempt } from '../../plan/sweep-event.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from '../../plan/sweep-plan.ts';
import { firstSteps } from '../first-steps.ts';
import { Allowance } from './allowance.ts';
import { isUncleanEnd, type Key, keysOf } from './key.ts';
import { Leaders } from './leaders.ts';
import type { Memory } from './memory.ts';
import { Outside } from './outside.ts';
import { Trial } from './trial.ts';

/** Whether a step may be sent. A pod that goes first must tell what came of it. */
export type Permit =
  | { readonly kind: 'Go' }
  | {
      readonly kind: 'First';
      /** No attempt: the step was not sent. */
      tell(attempt: Attempt | undefined, seen: (container: string) => Observation): void;
    }
  | Held;

interface Held {
  readonly kind: 'Held';
  readonly reason: HeldReason;
}

/** How sidecars were started that ended unclean before this sweep, read from the cluster. */
export type EarlierUnclean = () => Promise<ReadonlySet<string>>;

/**
 * Keeps a sweep from harming finished work. Where a step may end a sidecar with another code than 0 and that costs its Job
 * something, one pod goes first (the canary), of those that cost least; all others that are started alike wait without
 * occupying a slot. Only a canary that ended with 0 opens the way for them. One that ended with another code holds them,
 * whatever made it end: it shows how the program ends. One that was told to end and has not may still end either way, so
 * nobody follows it in this sweep. All canaries of one image together may cost no more than a few unclean ends. In the same
 * way, one pod goes first with a no-op image.
 */
export class Guard {
  readonly #trials = new Map<string, Trial>();
  readonly #allowances = new Map<string, Allowance>();
  readonly #leaders = new Leaders();
  readonly #outside: Outside;

  constructor(
    private readonly earlierUnclean: EarlierUnclean,
    private readonly memory: Memory,
    private readonly stop: AbortSignal,
    mostBegun?: number,
  ) {
    this.#outside = new Outside(stop, mostBegun);
  }

  /** Announces a pod, so that those that can lose least go first. */
  expect(plan: PodPlan): void {
    const { uid, namespace } = plan.candidate.pod.ref;
    const keys = trialsIn(plan);
    for (const { image } of keys) this.#allowanceOf(image).expect(namespace);
    const trials = keys.map((key) => this.#trialOf(key));
    this.#leaders.expect(uid, stakeOf(plan), trials);
  }

  /** Nothing more is done about a pod. */
  forget({ uid }: PodRef): void {
    this.#leaders.forget(uid);
    this.#outside.leave(uid);
  }

  /**
   * Until when a pod may as well not begin, because all that it begins with waits for others to go first; undefined if it may
   * begin at once.
   */
  wait(plan: PodPlan): Promise<void> | undefined {
    const { uid } = plan.candidate.pod.ref;
    if (!this.#leaders.knows(uid)) return undefined;
    const calls = firstSteps(plan).map(({ step, targets }) => {
      const rank = rankOf(plan, step);
      return keysOf(step, targets).map((key) => ({ uid, rank, way: key.way, trial: this.#trialOf(key) }));
    });
    const far = calls.flatMap((some) => some.find((one) => this.#outside.isFar(one)) ?? []);
    // Whoever may lead is waited for, so that it must not wait as a follower does.
    const first = far.find(({ rank }) => rank !== follows) ?? far[0];
    if (!first || far.length < calls.length) {
      // Where it is far, it waits inside for those that have less to lose, and must not be in their way.
      for (const call of calls.flat()) if (!this.#outside.isFar(call)) this.#outside.enter(call);
      return undefined;
    }
    const wait = () => this.#outside.wait(first);
    return first.rank === follows ? this.#leaders.whileFollowing(uid, wait) : wait();
  }

  /** Resolves when it is known whether the step may be sent; at once if nothing has to be tried first. */
  async permit(plan: PodPlan, targets: readonly PlannedTarget[], step: PlannedStep): Promise<Permit> {
    switch (step.clearance) {
      case 'AlreadyUnclean':
      case 'KnownUnclean':
      case 'Forbidden':
        return { kind: 'Held', reason: step.clearance };
      case 'Free':
      case 'Canary':
      case 'Follower':
        return this.#inTurn(plan, keysOf(step, targets), step);
    }
  }

  async #inTurn(plan: PodPlan, keys: readonly Key[], step: PlannedStep): Promise<Permit> {
    const permit = await this.#permitKeys(plan, keys, step);
    if (permit.kind !== 'First') this.#outside.leave(plan.candidate.pod.ref.uid);
    return permit;
  }

  async #permitKeys(plan: PodPlan, keys: readonly Key[], step: PlannedStep): Promise<Permit> {
    const pod = plan.candidate.pod.ref;
    const asked = keys.map((key) => ({ key, trial: this.#trialOf(key) }));
    const own = rankOf(plan, step);
    const mayLead = own !== follows;
    // Nobody holds a trial while waiting here, so that no two pods ever wait for each other.
    const wait = async () => {
      for (const { key, trial } of asked) await trial.cheapest(key.way, own, this.stop);
    };
    if (mayLead) await wait();
    else await this.#leaders.whileFollowing(pod.uid, wait);
    const tried: { readonly key: Key; readonly trial: Trial }[] = [];
    const hold = (reason: HeldReason): Held => {
      for (const { trial } of tried) trial.pass();
      return { kind: 'Held', reason };
    };
    for (const one of asked) {
      const { key, trial } = one;
      await trial.turn(this.stop);
      const known = await this.#knownOf(key, trial, pod);
      if (known === undefined && mayLead) {
        tried.push(one);
        continue;
      }
      trial.pass();
      if (known !== 'Go') return hold(known ?? 'NobodyGoesFirst');
    }
    if (tried.length === 0) return { kind: 'Go' };
    const allowances = [...new Set(tried.map(({ key }) => key.image))].map((image) =>
      this.#allowanceOf(image),
    );
    for (const allowance of allowances) {
      const allowed = await allowance.take(pod, this.stop);
      if (allowed === 'Go') continue;
      for (const other of allowances) other.give(pod, false);
      return hold(allowed);
    }
    return {
      kind: 'First',
      tell: (attempt, seen) => {
        let isOpen = false;
        let isUnclean = false;
        const look = (container: string) => {
          const end = seen(container);
          isUnclean ||= isUncleanEnd(end);
          return end;
        };
        for (const { key, trial } of tried) {
          key.learn(trial, pod.uid, attempt, look);
          if (key.alike !== undefined && trial.known(key.way) === 'CanaryEndedUnclean')
            this.memory.note(key.alike);
          trial.forget(pod.uid);
          isOpen ||= trial.known(key.way) === 'CanaryNotEnded';
          trial.pass();
        }
        for (const allowance of allowances) {
          allowance.give(pod, isOpen || (isUnclean && attempt !== undefined));
        }
        this.#outside.leave(pod.uid);
      },
    };
  }

  async #knownOf(key: Key, trial: Trial, pod: PodRef): Promise<'Go' | HeldReason | undefined> {
    const known = trial.known(key.way);
    if (known === 'CanaryNotEnded' && trial.isTriedBy(pod.uid)) return undefined;
    if (known !== undefined || key.alike === undefined) return known;
    // Asked only when a canary is about to be sent: a pod of an earlier sweep, ours or not, may have been it already.
    const earlier = await this.earlierUnclean();
    if (!earlier.has(key.alike) && !(await this.memory.knows(key.alike))) return undefined;
    trial.close('EarlierUnclean');
    return 'EarlierUnclean';
  }

  #trialOf({ name }: Key): Trial {
    const trial = this.#trials.get(name) ?? new Trial();
    this.#trials.set(name, trial);
    return trial;
  }

  #allowanceOf(image: string): Allowance {
    const allowance = this.#allowances.get(image) ?? new Allowance();
    this.#allowances.set(image, allowance);
    return allowance;
  }
}

/** The rank of a pod that goes first nowhere. */
const follows = Number.POSITIVE_INFINITY;

/** The less a pod can lose, the earlier its turn. */
function rankOf(plan: PodPlan, { clearance }: PlannedStep): number {
  return clearance === 'Follower' ? follows : stakeOf(plan);
}

/** Everything that a pod may come to try. */
function trialsIn({ targets, swap, swappable, lastResort }: PodPlan): readonly Key[] {
  const planned = targets.filter((target) => target.kind === 'Planned');
  const own = planned.flatMap((target) =>
    [...target.steps, ...target.uncertain].filter(leads).flatMap((step) => keysOf(step, [target])),
  );
  const swapped = planned.filter(({ container }) => swappable.some((one) => one.container === container));
  const podSteps = [...(swap ? [swap] : []), ...lastResort].filter(leads);
  return [
    ...own,
    ...podSteps.flatMap((step) => keysOf(step, step.method === 'ImageSwap' ? swapped : planned)),
  ];
}

function leads({ clearance }: PlannedStep): boolean {
  return clearance === 'Free' || clearance === 'Canary';
}
