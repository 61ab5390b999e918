import { newImageOf } from '../methods/index.ts';
import type { UncleanExit } from '../model/step.ts';
import type { PlannedStep, PodPlan } from './sweep-plan.ts';

/**
 * The promises that a step relies on, where breaking them costs something that is not allowed. Promises of different namespaces are
 * different ones, so that no tenant decides about another's pods, and an owner's promise is about that owner's pods only.
 */
export function promiseOf(
  {
    candidate,
    platform,
    uncleanCost,
    targets,
  }: Pick<PodPlan, 'candidate' | 'platform' | 'uncleanCost' | 'targets'>,
  containers: readonly string[],
  step: PlannedStep,
  mode: UncleanExit,
): readonly string[] {
  if (step.exitCode !== 0 || mode === 'allow' || uncleanCost.kind === 'Nothing') return [];
  const { ref, owner } = candidate.pod;
  const image = newImageOf(step);
  // A swap does not rest on the sidecar but on the no-op image, which may lack the platform of a node, or be one that this pod cannot pull.
  if (image !== undefined) {
    const pulls = candidate.sidecars.some(({ container }) => container.pullPolicy === 'Always');
    const { pullSecrets } = candidate.pod;
    return [JSON.stringify([ref.namespace, 'ImageSwap', image, platform, pulls, pullSecrets])];
  }
  const { grace, blocked, source, promisedBy, raisesLimit, ...does } = step;
  const by = promisedBy === 'Owner' ? (owner?.uid ?? ref.uid) : promisedBy;
  return targets.flatMap((target) =>
    target.kind === 'Planned' && containers.includes(target.container)
      ? JSON.stringify([ref.namespace, by, target.image, does])
      : [],
  );
}

/** The namespace that a promise is about. */
export function namespaceOf(promise: string): string {
  const [namespace] = JSON.parse(promise) as readonly [string];
  return namespace;
}
