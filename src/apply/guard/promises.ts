import { newImageOf } from '../../methods/index.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from '../../plan/sweep-plan.ts';
import type { Observation } from '../../vocabulary/observation.ts';
import type { UncleanExit } from '../../vocabulary/unclean-exit.ts';
import { isUncleanEnd } from './key.ts';
import type { Memory } from './memory.ts';

/** That a step ends a sidecar with 0, as a profile, the catalogue or an annotation says. */
export interface Promised {
  readonly container: string;
  /** The same for sidecars that are started alike and asked alike. */
  readonly name: string;
}

/**
 * Nobody goes first, and nobody waits, where a step is promised to end a sidecar with 0. But once a sidecar has broken the promise,
 * nobody believes it any more, neither in this sweep nor in the next ones.
 */
export class Promises {
  readonly #broken = new Set<string>();

  constructor(private readonly memory: Pick<Memory, 'knows' | 'note'>) {}

  async isAnyBroken(promised: readonly Promised[]): Promise<boolean> {
    for (const { name } of promised) {
      if (this.#broken.has(name) || (await this.memory.knows(name))) return true;
    }
    return false;
  }

  /** Learns how the sidecars ended that the step was sent to. */
  learn(promised: readonly Promised[], seen: (container: string) => Observation): void {
    for (const { name, container } of promised) {
      const end = seen(container);
      if (!isUncleanEnd(end) || wasKilled(end) || this.#broken.has(name)) continue;
      this.#broken.add(name);
      this.memory.note(name);
    }
  }
}

/** What a step promises, where a broken promise costs something that the operator has not allowed. */
export function promisesOf(
  { candidate, uncleanCost }: PodPlan,
  targets: readonly PlannedTarget[],
  step: PlannedStep,
  mode: UncleanExit,
): readonly Promised[] {
  // A swapped image is tried in one pod first.
  if (step.exitCode !== 0 || newImageOf(step) !== undefined) return [];
  if (mode === 'allow' || uncleanCost.kind === 'Nothing') return [];
  const { grace, clearance, source, ...does } = step;
  // What the owner of a pod promises says nothing of the pods of others.
  const whose = source.kind === 'Annotation' ? candidate.pod.ref.namespace : '';
  return targets.map(({ container, alike }) => ({
    container,
    name: JSON.stringify(['promise', alike, does, whose]),
  }));
}

/** KILL leaves a program no choice: the node ran out of memory, or somebody else ended the pod. */
function wasKilled(end: Observation): boolean {
  return (end.kind === 'Exited' || end.kind === 'Restarted') && end.exitCode === 137;
}
