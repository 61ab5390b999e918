import type { Attempt } from '../../events.ts';
import type { PlannedStep, PlannedTarget } from '../../plan/sweep-plan.ts';
import type { HeldReason, Observation, PodRef } from '../../vocabulary.ts';
import { type Key, keysOf } from './key.ts';
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

/** The images whose sidecars ended unclean before this sweep, read from the cluster. */
export type EarlierUnclean = () => Promise<ReadonlySet<string>>;

/**
 * Keeps a sweep from making finished work run again. Where a step may end a sidecar with another code than 0 and a Job would
 * then start over, one pod goes first (the canary); all others of the same image wait without occupying a slot. Only a canary
 * that ended with 0 opens the way for those that are started like it. One that ended with another code holds all others,
 * whatever made it end: it shows how the program ends. One that was told to end and has not may still end either way, so nobody
 * follows it in this sweep. In the same way, one pod goes first with a no-op image.
 */
export class Guard {
  readonly #trials = new Map<string, Trial>();

  constructor(
    private readonly earlierUnclean: EarlierUnclean,
    private readonly stop: AbortSignal,
  ) {}

  /** Resolves when it is known whether the step may be sent; at once if nothing has to be tried first. */
  async permit(pod: PodRef, targets: readonly PlannedTarget[], step: PlannedStep): Promise<Permit> {
    switch (step.clearance) {
      case 'KnownUnclean':
      case 'Forbidden':
        return { kind: 'Held', reason: step.clearance };
      case 'Free':
      case 'Canary':
        return this.#permitKeys(pod, keysOf(step, targets));
    }
  }

  async #permitKeys(pod: PodRef, keys: readonly Key[]): Promise<Permit> {
    const tried: { readonly key: Key; readonly trial: Trial }[] = [];
    for (const key of keys) {
      const trial = this.#trialOf(key);
      await trial.turn(this.stop);
      const known = await this.#knownOf(key, trial, pod);
      if (known === undefined) {
        tried.push({ key, trial });
        continue;
      }
      trial.pass();
      if (known === 'Go') continue;
      for (const other of tried) other.trial.pass();
      return { kind: 'Held', reason: known };
    }
    if (tried.length === 0) return { kind: 'Go' };
    return {
      kind: 'First',
      tell(attempt, seen) {
        for (const { key, trial } of tried) {
          key.learn(trial, pod.uid, attempt, seen);
          trial.pass();
        }
      },
    };
  }

  async #knownOf(key: Key, trial: Trial, pod: PodRef): Promise<'Go' | HeldReason | undefined> {
    const known = trial.known(key.way);
    if (known === 'CanaryNotEnded' && trial.isTriedBy(pod.uid)) return undefined;
    if (known !== undefined || key.program === undefined) return known;
    // Asked only when a canary is about to be sent: a pod of an earlier sweep, ours or not, may have been it already.
    const earlier = await this.earlierUnclean();
    if (!earlier.has(key.program)) return undefined;
    trial.close('EarlierUnclean');
    return 'EarlierUnclean';
  }

  #trialOf({ name }: Key): Trial {
    const trial = this.#trials.get(name) ?? new Trial();
    this.#trials.set(name, trial);
    return trial;
  }
}
