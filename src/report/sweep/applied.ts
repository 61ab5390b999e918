import { byName } from '../order.ts';
import type { SweepReport } from '../schema.ts';
import { countOutcomes } from './outcome-counts.ts';

/**
 * The report of a plan that was carried out later: what was found when it was made, and what became of the pods that it was
 * carried out for.
 */
export function withApplied(planned: SweepReport, applied: SweepReport): SweepReport {
  const reached = new Set(applied.pods.map(({ uid }) => uid));
  const pods = [...applied.pods, ...planned.pods.filter(({ uid }) => !reached.has(uid))].sort(byName);
  const { leftOut } = planned.totals;
  return {
    ...planned,
    run: { ...applied.run, ...(planned.run.asOf !== undefined && { asOf: planned.run.asOf }) },
    totals: {
      ...planned.totals,
      leftOut: { ...leftOut, warnings: leftOut.warnings + applied.totals.leftOut.warnings },
      ...countOutcomes(pods),
    },
    pods,
    warnings: applied.warnings,
  };
}
