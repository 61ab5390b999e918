import { isJudgedByPhase } from '../judge/platforms.ts';
import type { FailureCriterion, JobView } from '../model/job.ts';
import { replacesPods } from '../model/job-reaction.ts';
import { argoExecutors, jobOf, type PodCondition, type PodView } from '../model/pod.ts';
import type { JobFacts } from '../model/reading.ts';
import { willRestart } from '../model/restarts.ts';
import type { UncleanCost } from '../model/step.ts';
import type { Candidate } from '../model/verdict.ts';

/** How a sidecar would end; an undefined code stands for any but 0. */
export interface UncleanEnd {
  readonly container: string;
  readonly exitCode: number | undefined;
  /** A step for the whole pod has ended it, or would. */
  readonly withPod?: boolean;
}

/** The worst that can follow, by the pod's owner or by marks of a platform. A main that failed before has cost it already. */
export function costOf(candidate: Candidate, job: JobFacts | undefined, end: UncleanEnd): UncleanCost {
  const { pod, mains } = candidate;
  const before = failedOf(mains);
  const hasFailed = before.length > 0;
  if (pod.argo) return hasFailed || isIgnoredByArgo(candidate, end) ? nothing : theJob('ArgoWorkflow');
  if (!jobOf(pod)) return hasFailed ? nothing : costWithoutJob(pod);
  const codes = end.exitCode === undefined ? anyCode : [end.exitCode];
  const after = worst(codes.flatMap((exitCode) => reactions(pod, job, [...before, { ...end, exitCode }])));
  if (!hasFailed) return after;
  const least = Math.min(...reactions(pod, job, before).map(rank));
  return rank(after) > least ? after : nothing;
}

export function failedOf(mains: Candidate['mains']): readonly Ended[] {
  const failed = mains.filter(({ exitCode }) => exitCode !== 0);
  return failed.map(({ name, exitCode }) => ({ container: name, exitCode }));
}

function costWithoutJob(pod: PodView): UncleanCost {
  // Volcano, Kubeflow, JobSet, Tekton, …: the worst is assumed of what is not known.
  if (pod.owner || pod.hasOtherOwner) return theJob('OtherOwner');
  // Nothing in the cluster runs it again, but the platform that created it may.
  return isJudgedByPhase(pod) ? theJob('Platform') : nothing;
}

/** The worst that a Job does once these containers of a pod have failed. */
export function consequenceOf(
  pod: PodView,
  job: JobFacts | undefined,
  failed: readonly Ended[],
): UncleanCost {
  return worst(reactions(pod, job, failed));
}

/** How a Job may react once these containers of a pod have failed. */
function reactions(
  pod: PodView,
  job: JobFacts | undefined,
  failed: readonly Ended[],
): readonly UncleanCost[] {
  if (job?.kind === 'Gone') return [nothing];
  if (job?.kind !== 'Known') return [theJob('JobUnreadable')];
  const { complete, failed: hasFailed, otherController } = job.job;
  if (complete || hasFailed !== undefined) return [nothing];
  if (otherController !== undefined) return [theJob('OtherOwner')];
  if (failed.some((end) => isRestarted(end, pod))) return [restartCost(pod, job.job, job.restarts)];
  return failureCosts(job.job, pod, failed);
}

/** From the cheapest to the worst. */
const ranks = { Nothing: 0, Restart: 1, AnotherRun: 2, Index: 3, Job: 4 } as const;

export function rank({ kind }: UncleanCost): number {
  return ranks[kind];
}

/** Whether the Job is known to fail; otherwise, the worst is only assumed. */
export function isJobLost({ because }: Extract<UncleanCost, { readonly kind: 'Job' }>): boolean {
  return because === 'NoRetriesLeft' || because === 'FailurePolicy';
}

export function worst(costs: readonly UncleanCost[]): UncleanCost {
  return costs.reduce((one, other) => (rank(other) > rank(one) ? other : one), nothing);
}

/**
 * Argo Workflows ignores these two codes of a sidecar; any other fails the step, and so does a pod that is deleted, or that failed
 * for a reason of its own.
 * https://github.com/argoproj/argo-workflows/blob/main/workflow/controller/operator.go (inferFailedReason)
 */
function isIgnoredByArgo(candidate: Candidate, { exitCode, withPod }: UncleanEnd): boolean {
  return isAwaitedByArgo(candidate) && !withPod && (exitCode === 137 || exitCode === 143);
}

/** Whether Argo itself ends the sidecars: not in pods without such a container, as of resource templates, whose failure is the step's. */
export function isAwaitedByArgo({ pod, mains }: Candidate): boolean {
  return pod.argo !== undefined && mains.some(({ name }) => argoExecutors.includes(name));
}

/** Only under OnFailure does a Job add up the restarts, of pods that have not ended; it fails at backoffLimit, where 0 counts as 1. */
function restartCost({ restartPolicy }: PodView, { backoffLimit }: JobView, restarts: number): UncleanCost {
  if (restartPolicy !== 'OnFailure') return { kind: 'Restart' };
  return restarts + 1 >= Math.max(backoffLimit, 1) ? theJob('NoRetriesLeft') : { kind: 'Restart' };
}

/** Whether a container runs again, and the pod with it, instead of failing the pod. */
export function isRestarted(
  { container, exitCode, withPod }: Ended,
  { containers, restartPolicy }: PodView,
): boolean {
  if (withPod) return false;
  const view = containers.find(({ name }) => name === container);
  return view !== undefined && willRestart(view, restartPolicy, exitCode);
}

interface Ended extends UncleanEnd {
  readonly exitCode: number;
}

function failureCosts(job: JobView, pod: PodView, failed: readonly Ended[]): readonly UncleanCost[] {
  const costs: UncleanCost[] = [];
  for (const { action, on } of job.failureRules) {
    const match = matchOf(on, pod, failed);
    if (match !== 'No') costs.push(ruledCost(action, job, pod));
    if (match === 'Yes') return costs;
  }
  return [...costs, countedCost(job, pod)];
}

function ruledCost(action: string, job: JobView, pod: PodView): UncleanCost {
  switch (action) {
    case 'Ignore':
      return replacesPods(job) ? { kind: 'AnotherRun' } : nothing;
    case 'Count':
      return countedCost(job, pod);
    case 'FailIndex':
      return job.perIndex ? indexCost(job) : theJob('FailurePolicy');
    default:
      return theJob('FailurePolicy');
  }
}

type Match = 'Yes' | 'Maybe' | 'No';

/** https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/controller/job/pod_failure_policy.go */
function matchOf(on: FailureCriterion, pod: PodView, failed: readonly Ended[]): Match {
  switch (on.kind) {
    case 'ExitCodes': {
      if (failed.some((end) => isAbout(on, end.container) && hasCode(on, end.exitCode))) return 'Yes';
      // The kubelet ends native sidecars last, and their codes count as well.
      const isOpen = pod.nativeSidecars.some(({ name }) => isAbout(on, name));
      return isOpen && anyCode.some((code) => hasCode(on, code)) ? 'Maybe' : 'No';
    }
    case 'PodConditions': {
      const matches = on.patterns.map((pattern) => matchOfCondition(pattern, pod, failed));
      if (matches.includes('Yes')) return 'Yes';
      return matches.includes('Maybe') ? 'Maybe' : 'No';
    }
    case 'Unknown':
      return 'Maybe';
  }
}

type ExitCodes = Extract<FailureCriterion, { readonly kind: 'ExitCodes' }>;

function isAbout({ container }: ExitCodes, name: string): boolean {
  return container === undefined || container === name;
}

function hasCode({ operator, exitCodes }: ExitCodes, exitCode: number): boolean {
  return exitCodes.includes(exitCode) === (operator === 'In');
}

/** The kubelet sets the conditions of a pod that has failed; the others stay as they are. */
function matchOfCondition({ type, status }: PodCondition, pod: PodView, failed: readonly Ended[]): Match {
  switch (type) {
    case 'Ready':
    case 'ContainersReady':
      return status === 'False' ? 'Yes' : 'No';
    // They depend on whether the sandbox is gone by then, and on native sidecars.
    case 'PodReadyToStartContainers':
    case 'Initialized':
      return 'Maybe';
    default:
      if (pod.conditions.some((one) => one.type === type && one.status === status)) return 'Yes';
      return type === 'DisruptionTarget' && failed.some(({ withPod }) => withPod) ? 'Maybe' : 'No';
  }
}

function countedCost(job: JobView, { annotations }: PodView): UncleanCost {
  // It holds for Jobs with retries for each index as well, whose default is next to endless.
  if (job.failedPods + 1 > job.backoffLimit) return theJob('NoRetriesLeft');
  // Even where a work queue replaces no pod, its backoffLimit counts the failure, and those of its other pods.
  if (!job.perIndex) return { kind: 'AnotherRun' };
  const failures = Number(annotations['batch.kubernetes.io/job-index-failure-count'] ?? 0);
  return failures + 1 > job.perIndex.retries ? indexCost(job) : { kind: 'AnotherRun' };
}

function indexCost({ perIndex }: JobView): UncleanCost {
  const { maxFailed = Infinity, failed = 0 } = perIndex ?? {};
  return failed + 1 > maxFailed ? theJob('NoRetriesLeft') : { kind: 'Index' };
}

const anyCode: readonly number[] = Array.from({ length: 255 }, (_, index) => index + 1);
const nothing: UncleanCost = { kind: 'Nothing' };

function theJob(because: Extract<UncleanCost, { readonly kind: 'Job' }>['because']): UncleanCost {
  return { kind: 'Job', because };
}
