export interface RunInfo {
  readonly id: string;
  readonly version: string;
  readonly dryRun: boolean;
  readonly context: string;
  readonly server: string;
  /** What the operator calls the cluster. */
  readonly clusterName?: string;
}
