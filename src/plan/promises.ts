import { newImageOf } from '../methods/index.ts';
import type { UncleanExit } from '../model/step.ts';
import type { PlannedStep, PodPlan } from './sweep-plan.ts';

/**
 * The promises that a step relies on, if a broken one would cost something that is not allowed. Namespaces do
 * not share promises, so that no tenant affects another's pods. Owners of a namespace do, for the same program:
 * most own a single pod.
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
  const { ref, pullSecrets } = candidate.pod;
  const image = newImageOf(step);
  // A swap relies on the no-op image, not on the sidecar: the image may not exist for the node's platform, or
  // this pod may be unable to pull it.
  if (image !== undefined) {
    const pulls = candidate.sidecars.some(({ container }) => container.pullPolicy === 'Always');
    return [JSON.stringify([ref.namespace, 'ImageSwap', image, platform, pulls, pullSecrets])];
  }
  const { grace, blocked, source, promisedBy, raisesLimit, ...does } = step;
  const programOf = (name: string) => {
    const sidecar = candidate.sidecars.find(({ container }) => container.name === name);
    return promisedBy === 'Owner' ? [sidecar?.container.command, sidecar?.container.args] : [];
  };
  return targets.flatMap((target) =>
    target.kind === 'Planned' && containers.includes(target.container)
      ? JSON.stringify([ref.namespace, promisedBy, target.image, ...programOf(target.container), does])
      : [],
  );
}

/** The namespace that a promise is about. */
export function namespaceOf(promise: string): string {
  const [namespace] = JSON.parse(promise) as readonly [string];
  return namespace;
}
