import * as z from 'zod';
import type { PodCondition } from './pod.ts';
import { kind, object, problem, text, union, type Value } from './schema.ts';

export interface JobView {
  /** Names of those in its template. */
  readonly containers: readonly string[];
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
  /** `podFailurePolicy`; the first rule that matches decides. */
  readonly failureRules: readonly FailureRule[];
  /** The controller that `spec.managedBy` names in place of Kubernetes' own. */
  readonly otherController: string | undefined;
  /** How many pods must succeed; undefined for a work queue, which is complete once one has succeeded and none runs any more. */
  readonly completions: number | undefined;
  /** With a `successPolicy`, fewer may be enough. */
  readonly hasSuccessPolicy: boolean;
  /** How many pods have succeeded, including those that its counter does not include yet. */
  readonly succeededPods: number;
}

export interface IndexLimits {
  /** Failures after which an index fails, besides the first. */
  readonly retries: number;
  /** `maxFailedIndexes`: if more indexes fail, the whole Job does at once. */
  readonly maxFailed: number | undefined;
  readonly failed: number;
}

export interface FailureRule {
  /** `FailJob`, `FailIndex`, `Ignore` or `Count`. */
  readonly action: string;
  readonly on: FailureCriterion;
}

export type FailureCriterion =
  | {
      readonly kind: 'ExitCodes';
      /** The container that it is about; undefined means any. */
      readonly container: string | undefined;
      readonly operator: 'In' | 'NotIn';
      readonly exitCodes: readonly number[];
    }
  /** It is enough if the pod has one of them. */
  | { readonly kind: 'PodConditions'; readonly patterns: readonly PodCondition[] }
  /** One that this version does not know. */
  | { readonly kind: 'Unknown' };

export interface ListedJob {
  readonly name: string;
  readonly uid: string;
  readonly job: JobView;
}

export const jobReaction = union('how the Job that owns the pod reacted', [
  kind('NoJob', 'no Job owns the pod'),
  kind('Complete', 'it has completed'),
  kind('Failed', 'it has failed for good', {
    reason: text('the reason of its Failed condition'),
  }),
  kind('IndexFailed', "the pod's index has failed for good"),
  kind('RunsAgain', 'the Job has started a replacement pod or is about to'),
  kind('Active', 'it has neither completed nor failed, as while it has other pods'),
  kind('Gone', 'it no longer exists'),
  kind('Unknown', 'the Job could not be read, or has not counted the pod yet', { problem }),
]);
export type JobReaction = Value<typeof jobReaction>;

export const jobHarmKind = z
  .enum(['RunsAgain', 'IndexFailed', 'JobFailed'])
  .describe('RunsAgain: finished work runs again; IndexFailed, JobFailed: it has failed for good');

export const harmKind = z
  .enum([...jobHarmKind.options, 'PodFailed'])
  .describe(
    'RunsAgain: finished work runs again; IndexFailed, JobFailed: it has failed for good; PodFailed: the pod has failed, and its platform, its owner or the controller that manages its Job may count the work as failed, or run it again',
  );
export type HarmKind = Value<typeof harmKind>;

export const harm = object('what this sweep did to the work of a pod whose mains had all exited with 0', {
  kind: harmKind,
  permitted: z
    .boolean()
    .describe(
      'whether --unclean-exit=allow permitted it, or the owner of the pod promised that it cannot happen',
    ),
  expected: z
    .literal(true)
    .optional()
    .describe('a sidecar exited with a code other than 0, but what its Job does about that was not seen'),
});
export type Harm = Value<typeof harm>;
