import { doubtOf } from '../methods/index.ts';
import type { Warning } from '../vocabulary.ts';
import type { PodPlan } from './sweep-plan.ts';

/** What the methods of a plan are not sure of; equal doubts of several containers are one warning. */
export function warnOfDoubts(pods: readonly PodPlan[]): readonly Warning[] {
  const warnings = new Map<string, Warning>();
  for (const { candidate, targets, swap, swappable, lastResort } of pods) {
    for (const target of targets) {
      if (target.kind !== 'Planned') continue;
      const container = candidate.pod.containers.find(({ name }) => name === target.container);
      const isSwapped = swap && swappable.some((one) => one.container === target.container);
      for (const step of [...target.steps, ...(isSwapped ? [swap] : []), ...lastResort]) {
        const doubt = container && doubtOf(step, container);
        if (doubt) addUp(warnings, doubt);
      }
    }
  }
  return [...warnings.values()];
}

function addUp(warnings: Map<string, Warning>, doubt: Warning): void {
  if (doubt.kind !== 'NoopMayNotStart') {
    warnings.set(JSON.stringify(doubt), doubt);
    return;
  }
  const key = JSON.stringify({ ...doubt, containers: 1 });
  const known = warnings.get(key);
  const before = known?.kind === 'NoopMayNotStart' ? known.containers : 0;
  warnings.set(key, { ...doubt, containers: before + doubt.containers });
}
