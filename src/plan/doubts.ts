import { doubtOf } from '../methods/index.ts';
import type { Warning } from '../model/warning.ts';
import type { PodPlan } from './sweep-plan.ts';

/** What the methods of a plan are not sure of. */
export function doubtsIn({ candidate, targets, swap, swappable, lastResort }: PodPlan): readonly Warning[] {
  return targets.flatMap((target) => {
    if (target.kind !== 'Planned') return [];
    const container = candidate.pod.containers.find(({ name }) => name === target.container);
    const isSwapped = swap && swappable.some((one) => one.container === target.container);
    const steps = [...target.steps, ...(isSwapped ? [swap] : []), ...lastResort];
    return steps.flatMap((step) => (container && doubtOf(step, container)) ?? []);
  });
}

/** Equal doubts of several containers are one warning. */
export function addUpDoubts(doubts: readonly Warning[]): readonly Warning[] {
  const warnings = new Map<string, Warning>();
  for (const doubt of doubts) addUp(warnings, doubt);
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
