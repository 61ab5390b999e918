import { newImageOf } from '../../methods/index.ts';
import type { Observation } from '../../model/reading.ts';
import type { UncleanExit } from '../../model/step.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from '../../plan/sweep-plan.ts';
import { isCleanEnd, isUncleanEnd } from '../wait/observation.ts';
import type { Memory } from './memory.ts';

/** That a step ends a sidecar with 0, as a profile, the catalogue or an annotation says. */
export interface Promised {
  readonly container: string;
  /** The same for sidecars of one namespace and image that are asked alike. */
  readonly name: string;
}

/** How often a promise was kept, and how often not. */
interface Seen {
  readonly kept: number;
  readonly broken: number;
}

/**
 * A step that is promised to end a sidecar with 0 is sent without waiting for others. But a promise that sidecars have broken
 * more often than kept is not believed any more, neither in this sweep nor in the next ones: one crash among many ends is none.
 */
export class Promises {
  readonly #seen = new Map<string, Seen>();

  constructor(private readonly memory: Pick<Memory, 'knows' | 'note'>) {}

  async isAnyBroken(promised: readonly Promised[]): Promise<boolean> {
    for (const { name } of promised) {
      if (this.#isBroken(name) || (await this.memory.knows(name))) return true;
    }
    return false;
  }

  /** Learns how a sidecar ended that the step was sent to. */
  learn({ name }: Promised, end: Observation): void {
    const { kept, broken } = this.#seen.get(name) ?? { kept: 0, broken: 0 };
    if (isCleanEnd(end)) this.#seen.set(name, { kept: kept + 1, broken });
    if (isUncleanEnd(end) && !wasKilled(end)) this.#seen.set(name, { kept, broken: broken + 1 });
  }

  /** Notes for the next sweeps what this one has learnt. */
  settle(): void {
    for (const name of this.#seen.keys()) if (this.#isBroken(name)) this.memory.note(name);
  }

  #isBroken(name: string): boolean {
    const { kept, broken } = this.#seen.get(name) ?? { kept: 0, broken: 0 };
    return broken > kept;
  }
}

/** What a step promises, where a broken promise costs something that the operator has not allowed. */
export function promisesOf(
  { candidate, uncleanCost }: PodPlan,
  targets: readonly PlannedTarget[],
  step: PlannedStep,
  mode: UncleanExit,
): readonly Promised[] {
  // A swap is promised by the no-op image, and not by the sidecar.
  if (step.exitCode !== 0 || newImageOf(step) !== undefined) return [];
  if (mode === 'allow' || uncleanCost.kind === 'Nothing') return [];
  const { grace, blocked, source, ...does } = step;
  // Nobody who runs the same image can hold the pods of others by breaking a promise.
  const { namespace } = candidate.pod.ref;
  return targets.map(({ container, image }) => ({
    container,
    name: JSON.stringify(['promise', namespace, image, does]),
  }));
}

/** All that is promised of the same sidecars: a program that has broken one promise is not asked in the next way at once. */
export function allPromisesOf(
  plan: PodPlan,
  targets: readonly PlannedTarget[],
  mode: UncleanExit,
): readonly Promised[] {
  return targets.flatMap((target) =>
    [...target.steps, ...target.uncertain].flatMap((step) => promisesOf(plan, [target], step, mode)),
  );
}

/** KILL leaves a program no choice: the node ran out of memory, or somebody else ended the pod. */
function wasKilled(end: Observation): boolean {
  return (end.kind === 'Exited' || end.kind === 'Restarted') && end.exitCode === 137;
}
