/** The library that the command line is built on. */
export type * from './events.ts';
export { openCluster } from './kube/cluster.ts';
export { loadConfig } from './kube/kubeconfig/config.ts';
export type { MethodName, Step, StepSpec } from './methods/index.ts';
export type { OwnSenders } from './methods/method.ts';
export type * from './plan/sweep-plan.ts';
export { catalogue } from './policy/catalogue.ts';
export { type Policy, type PolicyFlags, resolvePolicy } from './policy/policy.ts';
export type { Clock, Cluster, Random } from './ports.ts';
export { exitCodeOf } from './report/exit-code.ts';
export { type SweepReport, sweepReport } from './report/schema.ts';
export { ReportFold } from './report/sweep/fold.ts';
export { type SweepOptions, sweep } from './sweep.ts';
export { UsageError } from './usage-error.ts';
export type * from './vocabulary.ts';
