export { openCluster } from './kube/cluster.ts';
export { ConfigError, loadConfig } from './kube/config.ts';
export { catalogue } from './policy/catalogue.ts';
export type { Clock, Cluster, Emit } from './ports.ts';
export { exitCodeOf } from './report/exit-code.ts';
export { ReportFold } from './report/fold.ts';
export { type SweepReport, sweepReport } from './report/schema.ts';
export { type SweepOptions, sweep } from './sweep.ts';
export type * from './types.ts';
