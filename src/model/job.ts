import * as z from 'zod';
import type { PodCondition, PodView } from './pod.ts';
import type { Problem } from './reading.ts';
import { kind, problem, type Value } from './schema.ts';

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
  /** `podFailurePolicy`; the first rule that matches decides. */
  readonly failureRules: readonly FailureRule[];
  /** The controller that `spec.managedBy` names in place of Kubernetes' own. */
  readonly otherController: string | undefined;
  /** Whether it has no `completions`: it is complete once one pod has succeeded and none runs any more. */
  readonly isWorkQueue: boolean;
  /** How many pods have succeeded, including those that its counter does not include yet. */
  readonly succeededPods: number;
}

/**
 * How many pods of a Job have failed, with those that its controller has not noticed yet, which still carry its finalizer. It adds
 * these up before it looks at `backoffLimit`.
 */
export function failedPodsOf({ failedPods, uncounted }: JobView, pods: readonly PodView[]): number {
  const unnoticed = pods.filter(
    ({ ref, phase, awaitsJobTracking }) =>
      phase === 'Failed' && awaitsJobTracking && !uncounted.includes(ref.uid),
  );
  return failedPods + unnoticed.length;
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

export type JobReading =
  | { readonly kind: 'Present'; readonly job: JobView }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export const jobReaction = z
  .discriminatedUnion('kind', [
    kind('NoJob', 'no Job owns the pod'),
    kind('Complete', 'it has completed'),
    kind('Failed', 'it has failed for good', {
      reason: z.string().describe('the reason of its Failed condition'),
    }),
    kind('IndexFailed', "the pod's index has failed for good"),
    kind('RunsAgain', 'the Job has started a replacement pod or is about to'),
    kind('Active', 'it is waiting for its other pods'),
    kind('Gone', 'it no longer exists'),
    kind('Unknown', 'the Job could not be read', { problem }),
  ])
  .describe('how the Job that owns the pod reacted');
export type JobReaction = Value<typeof jobReaction>;

export const jobHarmKind = z
  .enum(['RunsAgain', 'IndexFailed', 'JobFailed'])
  .describe('RunsAgain: finished work runs again; IndexFailed, JobFailed: it has failed for good');

export const harmKind = z
  .enum([...jobHarmKind.options, 'PodFailed'])
  .describe(
    'RunsAgain: finished work runs again; IndexFailed, JobFailed: it has failed for good; PodFailed: no Job owns the pod, and its platform or its owner may count the work as failed, or run it again',
  );
export type HarmKind = Value<typeof harmKind>;

export const harm = z
  .object({
    kind: harmKind,
    permitted: z
      .boolean()
      .describe(
        'whether --unclean-exit=allow permitted it, or the owner of the pod promised that it cannot happen',
      ),
    expected: z
      .literal(true)
      .optional()
      .describe('a sidecar exited with another code than 0, but what its Job does about that was not seen'),
  })
  .describe('what this sweep did to the work of a pod whose mains had all exited 0');
export type Harm = Value<typeof harm>;

/** How a pod ended: `Restarted` if it runs on with a sidecar started again, `Unknown` if it is gone and no read showed its end. */
export type PodEnd = 'Succeeded' | 'Failed' | 'Restarted' | 'Unknown';

/**
 * Whether a Job may show more a moment later: it counts an ended pod after it has written down its uid, and a restart under OnFailure
 * a second after it (recorded: job-backoff-zero-onfailure-deletes-pod), which it shows only if it then fails.
 */
export function mayStillReact(reading: JobReading, { ref }: PodView, end: PodEnd): boolean {
  if (reading.kind !== 'Present') return false;
  const { uncounted, complete, failed } = reading.job;
  return uncounted.includes(ref.uid) || (end === 'Restarted' && !complete && failed === undefined);
}

/** What a Job's state means for a pod of it that ended. */
export function concludeJob(reading: JobReading, pod: PodView, end: PodEnd): JobReaction {
  switch (reading.kind) {
    case 'Gone':
      return { kind: 'Gone' };
    case 'Unreadable':
      return { kind: 'Unknown', problem: reading.problem.message };
    case 'Present': {
      const { complete, failed, failedIndexes, isWorkQueue, succeededPods } = reading.job;
      if (complete) return { kind: 'Complete' };
      if (failed !== undefined) return { kind: 'Failed', reason: failed };
      if (end === 'Succeeded') return { kind: 'Active' };
      const index = Number(pod.annotations[completionIndex] ?? Number.NaN);
      if (failedIndexes.some(([first, last]) => first <= index && index <= last)) {
        return { kind: 'IndexFailed' };
      }
      // After a success no pod of a work queue is replaced (job_controller.go of Kubernetes 1.36.2, manageJob).
      if (isWorkQueue && succeededPods > 0) return { kind: 'Active' };
      // A Job that has neither finished nor given up makes up for a failed pod, after a back-off of 10 s or more.
      return end === 'Failed' ? { kind: 'RunsAgain' } : { kind: 'Active' };
    }
  }
}

const completionIndex = 'batch.kubernetes.io/job-completion-index';
