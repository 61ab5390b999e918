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
} from '../types.ts';
import { mayHaveWorked } from './advance.ts';

/** Whether a step may be sent. Whoever got `Canary` must tell what came of it. */
export type Permit =
  | { readonly kind: 'Go' }
  | { readonly kind: 'Canary'; tell(attempt: Attempt | undefined, observation: Observation): void }
  | { readonly kind: 'Held'; readonly reason: HeldReason };

/** What happened to sidecars of an image before this sweep, read from the cluster. */
export type EarlierUnclean = (candidate: Candidate) => Promise<ReadonlySet<string>>;

/**
 * Sees to it that no sweep makes finished work run again. Where a step may end a sidecar with another code than 0 and a Job would
 * then start over, one pod goes first; all others of the same image and method wait, holding nothing. Only a canary that ended
 * with 0 lets pass those that are started like it. One that ended with anything else holds all others; one that has not ended in
 * its time holds those that are started like it, and the next one goes first.
 */
export class Guard {
  readonly #byKey = new Map<string, ImageMethod>();
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
    if (!isProtected || step.exitCode === 0 || this.rule === 'allow') return { kind: 'Go' };
    if (step.exitCode !== undefined) return { kind: 'Held', reason: 'KnownUnclean' };
    if (this.rule === 'forbid') return this.#hold('Forbidden', candidate, target, step);
    const state = this.#stateOf(target, step);
    await state.turn(this.stop);
    const way = wayOf(target, step);
    const known = state.permitFor(way);
    if (known) {
      state.pass();
      return known.kind === 'Held' ? this.#hold(known.reason, candidate, target, step) : known;
    }
    // Asked only once a canary is about to be sent: earlier sweeps, ours or others', may have been it already.
    if ((await this.earlierUnclean(candidate)).has(target.image)) {
      state.close('EarlierUnclean');
      return this.#hold('EarlierUnclean', candidate, target, step);
    }
    return {
      kind: 'Canary',
      tell: (attempt, observation) => state.learn(way, attempt, observation),
    };
  }

  /** What was held because nobody can know how it would end: what an operator is to decide about. */
  warnings(): readonly Warning[] {
    return [...this.#held.values()].map(({ pods, ...held }) => ({ kind: 'Held', ...held, pods: pods.size }));
  }

  #hold(reason: HeldReason, { pod }: Candidate, { image }: PlannedTarget, { method }: Step): Permit {
    const key = `${image} ${method} ${reason}`;
    const held = this.#held.get(key) ?? { image, method, reason, pods: new Set<string>() };
    held.pods.add(pod.ref.uid);
    this.#held.set(key, held);
    return { kind: 'Held', reason };
  }

  #stateOf(target: PlannedTarget, step: Step): ImageMethod {
    const key = `${step.method} ${target.image}`;
    let state = this.#byKey.get(key);
    if (!state) {
      state = new ImageMethod();
      this.#byKey.set(key, state);
    }
    return state;
  }
}

/** What exactly is done to what exactly: another command, or other arguments of the container, may end otherwise. */
function wayOf({ variant }: PlannedTarget, { grace, source, ...does }: Step): string {
  return `${variant} ${JSON.stringify(does)}`;
}

/** What is known about one method on one image, and who is trying it. */
class ImageMethod {
  readonly #clean = new Set<string>();
  readonly #notEnded = new Set<string>();
  #closed: HeldReason | undefined;
  readonly #pointless = new Set<string>();
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when nobody tries this method on this image any more. */
  async turn(stop: AbortSignal): Promise<void> {
    if (!this.#isTaken || stop.aborted) {
      this.#isTaken = true;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      stop.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** What needs no canary: it is known to end clean, known not to, or known to do nothing at all. */
  permitFor(way: string): Permit | undefined {
    if (this.#closed) return { kind: 'Held', reason: this.#closed };
    if (this.#notEnded.has(way)) return { kind: 'Held', reason: 'CanaryNotEnded' };
    if (this.#pointless.has(way) || this.#clean.has(way)) return { kind: 'Go' };
    return undefined;
  }

  learn(way: string, attempt: Attempt | undefined, observation: Observation): void {
    if (attempt === undefined || !mayHaveWorked(attempt)) {
      // What an image does not have, it has in no pod. Anything else was about that pod: the next one tries.
      if (attempt?.result.kind === 'NoSuchProgram') this.#pointless.add(way);
      this.pass();
    } else if (observation.kind === 'Exited' && observation.exitCode === 0) {
      this.#clean.add(way);
      this.pass();
    } else if (observation.kind === 'Exited' || observation.kind === 'Restarted') {
      this.close('CanaryEndedUnclean');
    } else {
      // It may yet end, and nobody knows how: those that are started like it wait for the next sweep.
      this.#notEnded.add(way);
      this.pass();
    }
  }

  close(reason: HeldReason): void {
    this.#closed = reason;
    this.pass();
  }

  /** Lets the next one try; everybody at once when nobody has to try any more. */
  pass(): void {
    const next = this.#waiting.shift();
    this.#isTaken = next !== undefined;
    next?.();
  }
}
