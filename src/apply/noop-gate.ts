import type { Observation, PodStep } from '../vocabulary.ts';
import { Trial } from './trial.ts';

/** Whether a pod may be swapped. Whoever got `First` must tell what came of it. */
export type Gate =
  | { readonly kind: 'Go' | 'Held' }
  | { readonly kind: 'First'; tell(observations: readonly Observation[]): void };

/**
 * One pod goes first with a no-op image. An image that cannot be pulled would leave every pod waiting for it; where it does not
 * start, no other pod is swapped.
 */
export class NoopGate {
  readonly #byImage = new Map<string, Trial>();

  constructor(private readonly stop: AbortSignal) {}

  /** Resolves when it is known whether the image starts; at once for steps that swap no image. */
  async permit(step: PodStep): Promise<Gate> {
    if (step.method !== 'ImageSwap') return { kind: 'Go' };
    const trial = this.#byImage.get(step.image) ?? new Trial();
    this.#byImage.set(step.image, trial);
    await trial.turn(this.stop);
    const known = trial.known('');
    if (known !== undefined) {
      trial.pass();
      return { kind: known === 'Go' ? 'Go' : 'Held' };
    }
    return {
      kind: 'First',
      tell(observations) {
        if (observations.some(({ kind }) => kind === 'NotStarted')) trial.close('NoopDoesNotStart');
        else if (observations.some(({ kind }) => kind === 'Exited')) trial.open('');
        // Whatever else became of that pod says nothing of the image: the next one tries.
        trial.pass();
      },
    };
  }
}
