import { endsPod, newImageOf, type Step } from '../methods/index.ts';
import { endWith } from '../methods/signal.ts';
import { killed } from '../model/observation.ts';
import type { BlockedReason } from '../model/outcome.ts';
import { type ContainerView, jobOf } from '../model/pod.ts';
import type { JobFacts } from '../model/reading.ts';
import { willRestart } from '../model/restarts.ts';
import type { UncleanCost, UncleanExit } from '../model/step.ts';
import { startError } from '../model/swap.ts';
import type { Candidate, EndedMain } from '../model/verdict.ts';
import type { PlannedStep } from './sweep-plan.ts';
import {
  consequenceOf,
  costOf,
  failedOf,
  isAwaitedByArgo,
  isJobLost,
  type UncleanEnd,
  worst,
} from './unclean-cost.ts';

/** The facts that decide about a step, besides the step itself. */
export interface Stakes {
  readonly candidate: Candidate;
  readonly job: JobFacts | undefined;
  readonly mode: UncleanExit;
}

/** Why a step for these containers may not be sent; undefined if it may. */
export function whyBlocked(
  step: Step,
  containers: readonly string[],
  stakes: Stakes,
): BlockedReason | undefined {
  const withPod = endsPod(step.method);
  // A restart ends nothing, but a Job counts each one, and fails at its backoffLimit.
  const isVain = !withPod && containers.some((name) => onlyRestarts(step, name, stakes));
  if (stakes.mode === 'allow') return isVain ? 'EndedUncleanBefore' : undefined;
  if (takesOthers(stakes)) return 'NoRoomInJob';
  if (costOfEnded(stakes).kind !== 'Nothing') return 'AlreadyUnclean';
  if (isArgosOwn(step, stakes)) return undefined;
  // A step that is said to end with 0 may end with any code. So may one for the pod: the kubelet asks before it kills.
  const isOpen = withPod || step.exitCode === 0;
  const end = { exitCode: isOpen ? undefined : step.exitCode, withPod };
  if (worstCost(containers, end, stakes).kind === 'Nothing') return isVain ? 'EndedUncleanBefore' : undefined;
  return doubtAbout(step, containers, stakes);
}

/**
 * Whether the Job would fail with this pod, whose main has failed. It would delete its other pods, and count even those as failed that
 * have finished and wait for their sidecars: they go first, and this one in a later sweep.
 */
function takesOthers({ candidate: { pod, mains }, job }: Stakes): boolean {
  const failed = failedOf(mains);
  if (failed.length === 0 || job?.kind !== 'Known' || job.finished === 0) return false;
  const { failedPods, perIndex } = job.job;
  const others = job.failing - 1;
  const limits = perIndex && { ...perIndex, failed: perIndex.failed + others };
  const later = { ...job, job: { ...job.job, failedPods: failedPods + others, perIndex: limits } };
  const cost = consequenceOf(pod, later, failed);
  return cost.kind === 'Job' && isJobLost(cost);
}

/** Why a step may not end these containers with 0; undefined if there is no reason to think so. */
function doubtAbout(step: Step, containers: readonly string[], stakes: Stakes): BlockedReason | undefined {
  const isSwap = newImageOf(step) !== undefined;
  if (step.exitCode === undefined) return isSwap ? 'NoopUnknown' : 'UnknownEnd';
  if (step.exitCode !== 0) return 'KnownUnclean';
  const hasFailed = isSwap ? hasNotStarted : hasEndedUncleanBefore;
  if (!containers.some((name) => hasFailed(name, stakes))) return undefined;
  return isSwap ? 'NoopDoesNotStart' : 'EndedUncleanBefore';
}

/** In another pod of its Job, or in this one before the kubelet restarted it: it would most likely do so again. */
function hasEndedUncleanBefore(name: string, { candidate, job }: Stakes): boolean {
  if (restartedWith(name, candidate) !== undefined) return true;
  return failuresAfter(candidate.mains, job).some((codes) => (codes.get(name) ?? 0) !== 0);
}

/** The code other than 0 with which a sidecar ended after its mains, before the kubelet restarted it. */
function restartedWith(name: string, { sidecars, mainsEndedAt }: Candidate): number | undefined {
  const container = sidecars.find((sidecar) => sidecar.container.name === name)?.container;
  const { restartCount = 0, lastExitCode = 0, lastFinishedAt = 0 } = container ?? {};
  return restartCount > 0 && lastExitCode !== 0 && lastFinishedAt >= mainsEndedAt ? lastExitCode : undefined;
}

/** Whether the kubelet restarted a sidecar after just such an end, and would do so again. */
function onlyRestarts(step: Step, name: string, { candidate }: Stakes): boolean {
  const code = restartedWith(name, candidate);
  if (code === undefined) return false;
  const isSame =
    step.exitCode === code ||
    (step.exitCode === undefined && step.method === 'Signal' && endWith(step.signals, code));
  const { sidecars, pod } = candidate;
  const isRestarted = (one: ContainerView) => one.name === name && willRestart(one, pod.restartPolicy, code);
  return isSame && sidecars.some(({ container }) => isRestarted(container));
}

/** Whether a container could not be started in another pod of the Job: most likely an earlier sweep swapped it for an image that lacks its program. */
function hasNotStarted(name: string, { candidate, job }: Stakes): boolean {
  return failuresAfter(candidate.mains, job).some((codes) => codes.get(name) === startError);
}

/** The exit codes of what ended after the mains in the failed pods of a Job whose mains had succeeded. */
function failuresAfter(mains: readonly EndedMain[], job: JobFacts | undefined) {
  const failures = job?.kind === 'Known' ? job.failures : [];
  return failures.flatMap((ends) => {
    const ofMains = mains.map(({ name }) => ends.get(name));
    if (!ofMains.every((end) => end?.exitCode === 0)) return [];
    const endedAt = Math.max(...ofMains.map((end) => end?.finishedAt ?? Number.NEGATIVE_INFINITY));
    const after = [...ends].filter(([, { finishedAt = endedAt }]) => finishedAt >= endedAt);
    return new Map(after.map(([name, { exitCode }]) => [name, exitCode]));
  });
}

/** Steps of one sidecar in order; a KILL is blocked like the step that it would follow. */
export function withKillsBlocked(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  return steps.map((step, index) => {
    const before = steps.slice(0, index).map((one) => ({ step: one }));
    return { ...step, blocked: step.blocked ?? gentlerThan(step, before)?.step.blocked };
  });
}

/** If the step before a KILL is blocked, the sidecar has not been asked to end, and must not be killed either. */
export function gentlerThan<T extends { readonly step: Pick<Step, 'method'> }>(
  { method, exitCode }: Pick<Step, 'method' | 'exitCode'>,
  before: readonly T[],
): T | undefined {
  return exitCode === killed ? before.findLast(({ step }) => step.method === method) : undefined;
}

export function worstCost(
  containers: readonly string[],
  end: Omit<UncleanEnd, 'container'>,
  { candidate, job }: Pick<Stakes, 'candidate' | 'job'>,
): UncleanCost {
  return worst(containers.map((container) => costOf(candidate, job, { container, ...end })));
}

/** A sidecar that crashed before, and is not started again, fails the pod as soon as nothing runs in it any more. */
export function costOfEnded({ candidate, job }: Pick<Stakes, 'candidate' | 'job'>): UncleanCost {
  const { sidecars, pod } = candidate;
  const costs = sidecars.flatMap(({ container }) => {
    const { name, state } = container;
    if (state.kind !== 'Terminated' || state.exitCode === 0) return [];
    if (willRestart(container, pod.restartPolicy, state.exitCode)) return [];
    return [costOf(candidate, job, { container: name, exitCode: state.exitCode })];
  });
  return worst(costs);
}

/**
 * Argo Workflows itself ends its sidecars with the commands in its own annotations, otherwise with TERM and KILL, whatever their
 * exit codes: that is what the workflow's owner asked for.
 */
function isArgosOwn({ method, source }: Step, { candidate }: Stakes): boolean {
  if (!isAwaitedByArgo(candidate)) return false;
  switch (source.kind) {
    case 'Annotation':
      return source.key.startsWith('workflows.argoproj.io/');
    case 'Default':
      return method === 'Signal';
    case 'Profile':
    case 'Swap':
    case 'LastResort':
      return false;
  }
}

/** Some controllers count the restarts of running pods, such as that of Kubeflow's TFJob. */
const otherOwner = 'its owner may count it as a restart, and fail';

/** Under OnFailure, a Job counts a no-op image's start as a restart (recorded: image-swap-onfailure-backoff-one-fails). */
export function whySwapFailsJob(
  step: Step,
  sidecars: number,
  mayRaise: boolean,
  { candidate: { pod }, job, mode }: Stakes,
): string | undefined {
  if (newImageOf(step) === undefined) return undefined;
  if (pod.restartPolicy !== 'OnFailure' || mode === 'allow') return undefined;
  if (!jobOf(pod)) return pod.owner || pod.hasOtherOwner ? otherOwner : undefined;
  if (!job || job.kind === 'Unreadable')
    return 'its Job or its pods cannot be read, and it may have no restarts left';
  if (job.kind === 'Gone') return undefined;
  const { backoffLimit, otherController } = job.job;
  if (otherController !== undefined) return otherOwner;
  const restarts = job.restartsAtWork + pod.restarts;
  if (mayRaise || fits(restarts + sidecars, backoffLimit)) return undefined;
  const swaps = sidecars === 1 ? 'a restart' : `${sidecars} restarts`;
  const count = `${restarts} so far, backoffLimit ${backoffLimit}; ${restarts + sidecars + 1} would do`;
  return `its Job would count it as ${swaps}, and fail: ${count}`;
}

/** Whether a Job does not fail after this many restarts. 0 counts as 1, as in the Job controller. */
export function fits(restarts: number, backoffLimit: number): boolean {
  return restarts < Math.max(backoffLimit, 1);
}
