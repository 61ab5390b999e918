import type { Millis } from '../util/time.ts';
import type { PodPlan } from './sweep-plan.ts';

/** At most what the steps for a pod may take, one after the other. */
export function timeOf({
  targets,
  swap,
  lastResort,
}: Pick<PodPlan, 'targets' | 'swap' | 'lastResort'>): Millis {
  const own = targets.flatMap((target) =>
    target.kind === 'Planned' ? [...target.steps, ...target.uncertain] : [],
  );
  return [...own, ...(swap ? [swap] : []), ...lastResort].reduce((sum, { grace }) => sum + grace, 0);
}
