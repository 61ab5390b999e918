/** The library: what the package exports. docs/library.md explains it. */
export { applySweep } from './library/apply-sweep.ts';
export type * from './library/contract.ts';
export type { Pod, SweepEvent } from './library/events.ts';
export {
  defineMethod,
  type MethodDefinition,
  type OwnMethod,
  type OwnStep,
  type OwnStepOptions,
  type RbacRule,
  type Target,
} from './library/method.ts';
export type { ApplyOptions, ClusterOptions, OwnPolicy, OwnProfile, PlanOptions } from './library/options.ts';
export type { SweepPlan } from './library/plan.ts';
export { planSweep } from './library/plan-sweep.ts';
export { defineProfile } from './library/profile.ts';
export type { ExecResult, HttpRequest, HttpResult } from './requests.ts';
export { UsageError } from './usage-error.ts';
