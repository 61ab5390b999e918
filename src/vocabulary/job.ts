export interface JobView {
  /** Names of the containers in its template. */
  readonly containers: readonly string[];
  /** Names of the native sidecars in its template. */
  readonly nativeSidecars: readonly string[];
  readonly complete: boolean;
  /** The reason of its Failed condition; undefined if it has not failed. */
  readonly failed: string | undefined;
  /** Uids of ended pods that its counters do not include yet. */
  readonly uncounted: readonly string[];
  readonly backoffLimit: number;
  /** How many pods have failed, including those that its counter does not include yet. */
  readonly failedPods: number;
  /** The first and last index of each range of `status.failedIndexes`. */
  readonly failedIndexes: readonly (readonly [first: number, last: number])[];
  /** With `backoffLimitPerIndex`, each index has its own retries. */
  readonly perIndex: IndexLimits | undefined;
  /** `podFailurePolicy`, as far as it is about exit codes; the first rule that matches decides. */
  readonly failureRules: readonly FailureRule[];
}

export interface IndexLimits {
  /** Failures after which an index fails, besides the first. */
  readonly retries: number;
  /** `maxFailedIndexes`: if more indexes fail, the whole Job does at once. */
  readonly maxFailed: number | undefined;
  readonly failed: number;
}

/** A rule of a Job's `podFailurePolicy`. */
export interface FailureRule {
  /** `FailJob`, `FailIndex`, `Ignore` or `Count`. */
  readonly action: string;
  /** The container that it is about; undefined means any. */
  readonly container: string | undefined;
  readonly operator: 'In' | 'NotIn';
  readonly exitCodes: readonly number[];
}

export interface ListedJob {
  readonly name: string;
  readonly uid: string;
  readonly job: JobView;
}
