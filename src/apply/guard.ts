import { clear } from '../plan/protect.ts';
import type {
  Attempt,
  Candidate,
  HeldReason,
  MethodName,
  Observation,
  PlannedTarget,
  Step,
  UncleanExit,
  Warning,
} from '../vocabulary.ts';
import { mayHaveWorked } from './advance.ts';
import { Trial } from './trial.ts';

/** Whether a step may be sent. Whoever got `Canary` must tell what came of it. */
export type Permit =
  | { readonly kind: 'Go' }
  | { readonly kind: 'Canary'; tell(attempt: Attempt | undefined, observation: Observation): void }
  | Held;

interface Held {
  readonly kind: 'Held';
  readonly reason: HeldReason;
}

/** The images whose sidecars ended unclean before this sweep, read from the cluster. */
export type EarlierUnclean = () => Promise<ReadonlySet<string>>;

/**
 * Sees to it that no sweep makes finished work run again. Where a step may end a sidecar with another code than 0 and a Job would
 * then start over, one pod goes first; all others of the same image wait, holding nothing. Only a canary that ended with 0 lets pass
 * those that are started like it. One that ended with anything else holds all others, whatever made it end: what is known then is
 * how the program ends. One that was told to end and has not may still end either way, so nobody follows it in this sweep.
 */
export class Guard {
  /** By what is tried: a program, or what takes its place. */
  readonly #trials = new Map<string, Trial>();
  readonly #held = new Map<
    string,
    {
      readonly image: string;
      readonly method: MethodName;
      readonly reason: HeldReason;
      readonly pods: Set<string>;
    }
  >();

  constructor(
    private readonly rule: UncleanExit,
    private readonly earlierUnclean: EarlierUnclean,
    private readonly stop: AbortSignal,
  ) {}

  /** Resolves when it is known whether the step may be sent; at once where there is nothing to protect. */
  async permit(
    candidate: Candidate,
    isProtected: boolean,
    target: PlannedTarget,
    step: Step,
  ): Promise<Permit> {
    const clearance = clear(isProtected, step, this.rule);
    switch (clearance) {
      case 'Free':
        return { kind: 'Go' };
      case 'KnownUnclean':
        return { kind: 'Held', reason: clearance };
      case 'Forbidden':
        return this.hold(clearance, candidate, target.image, step);
      case 'Canary':
        return this.#permitCanary(candidate, target, step);
    }
  }

  /** What was held because nobody can know how it would end: what an operator is to decide about. */
  warnings(): readonly Warning[] {
    return [...this.#held.values()].map(({ pods, ...held }) => ({ kind: 'Held', ...held, pods: pods.size }));
  }

  async #permitCanary(candidate: Candidate, target: PlannedTarget, step: Step): Promise<Permit> {
    const trial = this.#trialOf(target, step);
    await trial.turn(this.stop);
    const way = wayOf(target, step);
    const known = trial.known(way);
    const isOwnTrial = known === 'CanaryNotEnded' && trial.isTriedBy(candidate.pod.ref.uid);
    if (known !== undefined && !isOwnTrial) {
      trial.pass();
      return known === 'Go' ? { kind: 'Go' } : this.hold(known, candidate, target.image, step);
    }
    // Asked only once a canary is about to be sent: earlier sweeps, ours or others', may have been it already.
    if ((await this.earlierUnclean()).has(target.image)) {
      trial.close('EarlierUnclean');
      trial.pass();
      return this.hold('EarlierUnclean', candidate, target.image, step);
    }
    return {
      kind: 'Canary',
      tell(attempt, observation) {
        learn(trial, way, candidate.pod.ref.uid, attempt, observation);
        trial.pass();
      },
    };
  }

  /** Holds a pod back and keeps it in mind for the warnings. */
  hold(reason: HeldReason, { pod }: Candidate, image: string, { method }: Step): Held {
    const key = `${image} ${method} ${reason}`;
    const held = this.#held.get(key) ?? { image, method, reason, pods: new Set<string>() };
    held.pods.add(pod.ref.uid);
    this.#held.set(key, held);
    return { kind: 'Held', reason };
  }

  #trialOf(target: PlannedTarget, step: Step): Trial {
    // However a program is asked to end, it is the program that ends. A swapped image ends in another's name.
    const key = step.method === 'ImageSwap' ? `ImageSwap ${target.image}` : target.image;
    const trial = this.#trials.get(key) ?? new Trial();
    this.#trials.set(key, trial);
    return trial;
  }
}

/** What exactly is done to what exactly: another command, or other arguments of the container, may end otherwise. */
function wayOf({ variant }: PlannedTarget, { grace, source, ...does }: Step): string {
  return `${variant} ${JSON.stringify(does)}`;
}

/** What a canary has taught of its way. */
function learn(
  trial: Trial,
  way: string,
  uid: string,
  attempt: Attempt | undefined,
  observation: Observation,
): void {
  if (attempt === undefined || !mayHaveWorked(attempt)) {
    // What an image does not have, it has in no pod. Anything else was about that pod: the next one tries.
    if (attempt?.result.kind === 'NoSuchProgram') trial.open(way);
  } else if (observation.kind === 'Exited' && observation.exitCode === 0) {
    trial.open(way);
  } else if (observation.kind === 'Exited' || observation.kind === 'Restarted') {
    trial.close('CanaryEndedUnclean');
  } else {
    // It may yet end, and nobody knows how: all others wait for the next sweep, which sees what became of it.
    trial.tried(uid);
    trial.close('CanaryNotEnded');
  }
}
