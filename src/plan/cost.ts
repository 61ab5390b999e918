import type { JobFacts } from '../model/facts.ts';
import type { FailureRule, JobView } from '../model/job.ts';
import { isJudgedByPhase } from '../model/platform.ts';
import { jobOf, type PodView, willRestart } from '../model/pod.ts';
import type { UncleanCost } from '../model/step.ts';
import type { Candidate } from '../model/verdict.ts';

/** How a sidecar would end; an undefined code stands for any but 0. */
export interface UncleanEnd {
  readonly container: string;
  readonly exitCode: number | undefined;
  /** A step for the whole pod has ended it, or would. */
  readonly withPod?: boolean;
}

/**
 * What it costs if a sidecar ends unclean: the worst that can follow, read off the owner of its pod, or off the marks of a platform
 * that needs no owner. A main that failed before has cost that already.
 */
export function costOf(candidate: Candidate, job: JobFacts | undefined, end: UncleanEnd): UncleanCost {
  const { pod, mains } = candidate;
  const hasFailed = mains.some(({ exitCode }) => exitCode !== 0);
  if (pod.argo) return hasFailed || isIgnoredByArgo(end) ? nothing : theJob('ArgoWorkflow');
  // Nothing in the cluster runs it again, but whoever created it and reads its phase may.
  if (!pod.owner) return hasFailed || !isJudgedByPhase(pod) ? nothing : theJob('Platform');
  // Volcano, Kubeflow, JobSet, Tekton, …: the worst is assumed of what is not known.
  if (!jobOf(pod)) return hasFailed ? nothing : theJob('OtherOwner');
  if (!job || job.kind === 'Unreadable') return hasFailed ? nothing : theJob('JobUnreadable');
  if (job.kind === 'Gone' || job.job.complete || job.job.failed !== undefined) return nothing;
  const failures = mains.filter(({ exitCode }) => exitCode !== 0);
  const before = failures.map(({ name, exitCode }) => ({ container: name, exitCode }));
  const codes = end.exitCode === undefined ? anyCode : [end.exitCode];
  const container = pod.containers.find(({ name }) => name === end.container);
  const after = worst(
    codes.map((exitCode) =>
      // The container's own restart policy and rules (1.34+) take precedence over the pod's.
      container && willRestart(container, pod.restartPolicy, exitCode)
        ? restartCost(pod, job.job, job.restarts)
        : failureCost(job.job, pod, [...before, { ...end, exitCode }]),
    ),
  );
  if (before.length === 0) return after;
  return rank(after) > rank(failureCost(job.job, pod, before)) ? after : nothing;
}

/** What the Job does once these containers of a pod have failed. */
export function consequenceOf(
  pod: PodView,
  job: JobFacts | undefined,
  failed: readonly Ended[],
): UncleanCost {
  if (job?.kind === 'Gone') return nothing;
  if (job?.kind !== 'Known') return theJob('JobUnreadable');
  if (job.job.complete || job.job.failed !== undefined) return nothing;
  if (pod.restartPolicy === 'OnFailure') return restartCost(pod, job.job, job.restarts);
  return failureCost(job.job, pod, failed);
}

/** From the cheapest to the worst. */
const ranks = { Nothing: 0, Restart: 1, AnotherRun: 2, Index: 3, Job: 4 } as const;

export function rank({ kind }: UncleanCost): number {
  return ranks[kind];
}

/** The worst of several costs. */
export function worst(costs: readonly UncleanCost[]): UncleanCost {
  return costs.reduce((one, other) => (rank(other) > rank(one) ? other : one), nothing);
}

/**
 * Argo Workflows ignores these two codes of a sidecar; any other fails the step, and so does a pod that is deleted, or that failed
 * for a reason of its own.
 * https://github.com/argoproj/argo-workflows/blob/main/workflow/controller/operator.go
 */
function isIgnoredByArgo({ exitCode, withPod }: UncleanEnd): boolean {
  return !withPod && (exitCode === 137 || exitCode === 143);
}

/**
 * The kubelet restarts the sidecar. Only under OnFailure does the Job add up the restarts of all its pods that have not ended; it
 * fails at backoffLimit, where 0 counts as 1.
 */
function restartCost({ restartPolicy }: PodView, { backoffLimit }: JobView, restarts: number): UncleanCost {
  if (restartPolicy !== 'OnFailure') return { kind: 'Restart' };
  return restarts + 1 >= Math.max(backoffLimit, 1) ? theJob('NoRetriesLeft') : { kind: 'Restart' };
}

interface Ended extends UncleanEnd {
  readonly exitCode: number;
}

/** What follows when a pod fails because these containers failed. */
function failureCost(job: JobView, pod: PodView, failed: readonly Ended[]): UncleanCost {
  const rule = job.failureRules.find((each) => failed.some((end) => matches(each, end)));
  switch (rule?.action) {
    case 'Ignore':
      return { kind: 'AnotherRun' };
    case undefined:
    case 'Count':
      return countedCost(job, pod);
    case 'FailIndex':
      return job.perIndex ? indexCost(job) : theJob('FailurePolicy');
    default:
      return theJob('FailurePolicy');
  }
}

function matches({ container, operator, exitCodes }: FailureRule, end: Ended): boolean {
  if (container !== undefined && container !== end.container) return false;
  return exitCodes.includes(end.exitCode) === (operator === 'In');
}

/** How often the index of a pod has failed before. */
function indexFailuresOf({ annotations }: PodView): number {
  return Number(annotations['batch.kubernetes.io/job-index-failure-count'] ?? 0);
}

function countedCost(job: JobView, pod: PodView): UncleanCost {
  // It holds for Jobs with retries for each index as well, whose default is next to endless.
  if (job.failedPods + 1 > job.backoffLimit) return theJob('NoRetriesLeft');
  if (!job.perIndex) return { kind: 'AnotherRun' };
  return indexFailuresOf(pod) + 1 > job.perIndex.retries ? indexCost(job) : { kind: 'AnotherRun' };
}

function indexCost({ perIndex }: JobView): UncleanCost {
  const { maxFailed, failed = 0 } = perIndex ?? {};
  return maxFailed !== undefined && failed + 1 > maxFailed ? theJob('NoRetriesLeft') : { kind: 'Index' };
}

const anyCode: readonly number[] = Array.from({ length: 255 }, (_, index) => index + 1);
const nothing: UncleanCost = { kind: 'Nothing' };

function theJob(because: Extract<UncleanCost, { readonly kind: 'Job' }>['because']): UncleanCost {
  return { kind: 'Job', because };
}
