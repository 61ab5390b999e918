import { hasProgram } from '../policy/noop-image.ts';
import type { PodPlan, Warning } from '../vocabulary.ts';

type MayNotStart = Extract<Warning, { readonly kind: 'NoopMayNotStart' }>;

/**
 * Containers whose own command the no-op image is not known to have: swapped, they would end as StartError, the pod as Failed,
 * and a Job would run again. One warning for each image and program.
 */
export function warnOfNoop(pods: readonly PodPlan[]): readonly Warning[] {
  const warnings = new Map<string, MayNotStart>();
  for (const { candidate, targets, lastResort } of pods) {
    const swap = lastResort.find((step) => step.method === 'ImageSwap');
    if (!swap) continue;
    const planned = new Set(targets.flatMap(({ kind, container }) => (kind === 'Planned' ? container : [])));
    for (const { container } of candidate.sidecars) {
      // Without a command of its own a container runs what the image is for.
      const program = container.command?.[0];
      if (program === undefined || !planned.has(container.name)) continue;
      if (hasProgram(program, swap.programs)) continue;
      const key = JSON.stringify([container.image, program]);
      const containers = (warnings.get(key)?.containers ?? 0) + 1;
      warnings.set(key, {
        kind: 'NoopMayNotStart',
        noop: swap.image,
        image: container.image,
        program,
        containers,
      });
    }
  }
  return [...warnings.values()];
}
