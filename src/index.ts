/** The library: what the package exports. docs/library.md explains it. */
export { applySweep } from './library/apply-sweep.ts';
export type * from './library/contract.ts';
export type { Pod, SweepEvent } from './library/events.ts';
export type { ClusterOptions, PlanOptions, Policy } from './library/options.ts';
export type { SweepPlan } from './library/plan.ts';
export { planSweep } from './library/plan-sweep.ts';
export { defineProfile } from './library/profile.ts';
export { UsageError } from './usage-error.ts';
