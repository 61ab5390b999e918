import type { SweepReport } from './contract.ts';

/** What a sweep would do: plain data, which can be shown, stored and sent elsewhere as JSON before it is applied. */
export interface SweepPlan {
  /** The plan as the report of a dry run: each pod with its sidecars and the steps for them, and all that was left alone. */
  readonly report: SweepReport;
  /**
   * What `applySweep` needs besides. It is no contract: hand it back as it is, to the same version. It contains what the specs
   * of the pods say, with the literal values of environment variables.
   */
  readonly work: object;
}
