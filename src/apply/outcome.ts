import { mayHaveWorked } from '../methods/attempt.ts';
import { endsPod, newImageOf } from '../methods/index.ts';
import type { HarmKind, JobReaction } from '../model/job.ts';
import type { AttemptResult, ContainerOutcome, PodOutcome, StillRunningBecause } from '../model/outcome.ts';
import { jobOf, type PodView } from '../model/pod.ts';
import type { JobReading } from '../model/ports.ts';
import type { Observation, PodReading } from '../model/reading.ts';
import type { UncleanCost } from '../model/step.ts';
import type { Candidate } from '../model/verdict.ts';
import { costOf, type UncleanEnd } from '../plan/cost.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { PlannedTarget } from '../plan/sweep-plan.ts';
import type { Seen } from './observation.ts';

/**
 * What became of a sidecar: a pure function of what was sent to it and of a read of the pod after that. The read proves that the
 * sidecar runs on only if its status cannot lag any more, or the sidecar has answered.
 */
export function concludeTarget(
  { isMesh, steps, uncertain }: Pick<PlannedTarget, 'isMesh' | 'steps' | 'uncertain'>,
  attempts: readonly Attempt[],
  observation: Observation,
  isProof: boolean,
): ContainerOutcome {
  switch (observation.kind) {
    case 'Exited': {
      const { exitCode, signal } = observation;
      if (!mayHaveEnded(attempts, observation)) return { kind: 'AlreadyEnded', exitCode };
      return { kind: 'Stopped', exitCode, ...(signal !== undefined && { signal }) };
    }
    case 'Restarted': {
      const { restartCount, exitCode } = observation;
      return { kind: 'Restarted', restartCount, ...(exitCode !== undefined && { exitCode }) };
    }
    case 'NotStarted':
      // Whether the swap or the sidecar itself ended the old container cannot be told, but a clean end is one either way.
      return observation.ended === 0
        ? { kind: 'AlreadyEnded', exitCode: 0 }
        : { kind: 'NotStarted', reason: observation.reason };
    case 'Gone':
      return { kind: 'Gone' };
    case 'Replaced':
      return { kind: 'Replaced', uid: observation.uid };
    case 'Unreadable':
      return { kind: 'Unproven', problem: observation.problem.message };
    case 'Running':
      if (attempts.length === 0 && steps.length + uncertain.length === 0) {
        return { kind: 'StillRunning', because: { kind: 'LastResortDue' } };
      }
      if (isMesh && attempts.length === 0) {
        return { kind: 'StillRunning', because: { kind: 'CarriesOthers' } };
      }
      return concludeRunning(attempts, observation, isProof);
  }
}

/** Whether something that was sent may have ended it: a swap ends a container only by starting the no-op image. */
export function mayHaveEnded(
  attempts: readonly Attempt[],
  { swapped }: Pick<Extract<Observation, { kind: 'Exited' }>, 'swapped'>,
): boolean {
  return attempts.some(
    (attempt) => mayHaveWorked(attempt) && (swapped || newImageOf(attempt.step) === undefined),
  );
}

function concludeRunning(
  attempts: readonly Attempt[],
  { swapped }: Extract<Observation, { readonly kind: 'Running' }>,
  isProof: boolean,
): ContainerOutcome {
  // The kubelet replaces the container, however long its preStop hook, its end and the pull take.
  const isSwapped = attempts.some(
    ({ step, result }) => newImageOf(step) !== undefined && result.kind === 'Accepted',
  );
  if (!swapped && isSwapped) return { kind: 'StillRunning', because: { kind: 'SwapUnderWay' } };
  if (isUnderWay(attempts)) return { kind: 'StillRunning', because: { kind: 'UnderWay' } };
  const doubt = doubtOf(attempts, isProof);
  if (doubt === undefined) return { kind: 'StillRunning', because: whyStillRunning(attempts) };
  return {
    kind: 'Unproven',
    problem: `its status shows it running, but it may have ended already: ${doubt}`,
  };
}

/** Why a status that shows the container running does not prove that it runs. */
function doubtOf(attempts: readonly Attempt[], isProof: boolean): string | undefined {
  const standing = standingOf(attempts);
  if (standing.kind === 'MayHaveEnded') return standing.message;
  return isProof ? undefined : 'the kubelet can be late to report it';
}

/** The container is still running: if nothing can have worked, the most telling attempt says why. */
function whyStillRunning(attempts: readonly Attempt[]): StillRunningBecause {
  const last = attempts.filter(isTelling).at(-1) ?? attempts.at(-1);
  const hasWorked = attempts.some((attempt) => mayHaveWorked(attempt) && !isRefuted(attempt, attempts));
  if (!last || hasWorked) return { kind: 'Outlived' };
  // A blocked step comes before whatever a later one could not do either: it is what an operator can decide about.
  const { result } = attempts.filter(isTelling).find((attempt) => attempt.result.kind === 'Blocked') ?? last;
  switch (result.kind) {
    case 'Accepted':
    case 'Failed':
    case 'Unconfirmed':
      return { kind: 'Outlived' };
    case 'Blocked':
      return { kind: 'Blocked', reason: result.reason };
    case 'NoSuchProgram':
      return { kind: 'NoSuchProgram', program: result.program };
    case 'NotThere':
    case 'Busy':
      return { kind: 'Undelivered', message: result.message };
    case 'Undelivered':
      return { kind: result.noUpgrade ? 'Unsupported' : 'Undelivered', message: result.message };
    case 'Refused':
    case 'Unsupported':
    case 'Immune':
      return { kind: result.kind, message: result.message };
  }
}

/** Whether the wait for the last one was cut while it may still work. */
export function isUnderWay(attempts: readonly Attempt[]): boolean {
  return attempts.at(-1)?.due !== undefined;
}

/** What the answers so far tell of a container that its status shows as running. */
type Standing =
  /** It has outlived every step, or the step cannot work there: only now may a harsher step follow. */
  | { readonly kind: 'Answered' }
  /** The last step did not arrive. */
  | { readonly kind: 'NotReached' }
  /** Its status may lag. */
  | { readonly kind: 'MayHaveEnded'; readonly message: string };

export function standingOf(attempts: readonly Attempt[]): Standing {
  return attempts.reduce<Standing>(standingAfter, { kind: 'Answered' });
}

function standingAfter(before: Standing, { result }: Attempt): Standing {
  if (isNotUpgraded(result)) return before.kind === 'MayHaveEnded' ? before : { kind: 'Answered' };
  switch (result.kind) {
    // The container itself has answered, so it was running.
    case 'Accepted':
    case 'Failed':
    case 'NoSuchProgram':
    case 'Immune':
      return { kind: 'Answered' };
    case 'Unconfirmed':
    case 'NotThere':
      return { kind: 'MayHaveEnded', message: result.message };
    // These say nothing of the container: the port of one that has ended is closed as well.
    case 'Refused':
    case 'Unsupported':
    case 'Blocked':
      return before.kind === 'MayHaveEnded' ? before : { kind: 'Answered' };
    case 'Busy':
    case 'Undelivered':
      return before.kind === 'MayHaveEnded' ? before : { kind: 'NotReached' };
  }
}

/** Whether every try was refused the upgrade of its connection: nothing was sent, and this step cannot work here. */
export function isNotUpgraded(result: AttemptResult): boolean {
  return result.kind === 'Undelivered' && result.noUpgrade === true;
}

/** Whether the same step, sent once more, has shown that it never had anything to run there. */
function isRefuted({ step, result }: Attempt, attempts: readonly Attempt[]): boolean {
  return (
    result.kind === 'Unconfirmed' &&
    attempts.some((again) => again.step === step && again.result.kind === 'NoSuchProgram')
  );
}

/** KILL is what is left when nothing else is: it says the least. */
function isTelling({ step }: Attempt): boolean {
  return step.method !== 'Signal' || !step.signals.includes('KILL');
}

/** What became of the pod, of which every target has its outcome. */
export function concludePod(
  reading: PodReading,
  outcomes: readonly ContainerOutcome[],
  job: JobReaction,
): PodOutcome {
  switch (reading.kind) {
    case 'Gone':
      return { kind: 'Gone', job };
    case 'Replaced':
      return { kind: 'Replaced', uid: reading.uid };
    case 'Unreadable':
      return { kind: 'Unproven', problem: reading.problem.message };
    case 'Present': {
      const { phase } = reading.pod;
      if (phase === 'Succeeded' || phase === 'Failed') return { kind: 'Ended', phase, job };
      return concludeActive(outcomes);
    }
  }
}

function concludeActive(outcomes: readonly ContainerOutcome[]): PodOutcome {
  const open = outcomes.filter(({ kind }) => kind !== 'AlreadyEnded');
  if (open.every(({ kind }) => kind === 'Stopped')) return { kind: 'Unsettled' };
  const unproven = open.find((one) => one.kind === 'Unproven');
  if (unproven && open.every(({ kind }) => kind === 'Stopped' || kind === 'Unproven')) return unproven;
  const shared = open.map(sharedWithPod);
  const [first] = shared;
  return first && shared.every((one) => one?.kind === first.kind) ? first : { kind: 'Stuck' };
}

/** Only if nothing at all was sent does the pod share the reason of its sidecars. */
function sharedWithPod(outcome: ContainerOutcome): PodOutcome | undefined {
  switch (outcome.kind) {
    case 'Skipped':
    case 'NotAttempted':
      return outcome;
    case 'StillRunning':
      return outcome.because.kind === 'Blocked' ? outcome.because : undefined;
    case 'Stopped':
    case 'AlreadyEnded':
    case 'Restarted':
    case 'NotStarted':
    case 'Gone':
    case 'Replaced':
    case 'Unproven':
      return undefined;
  }
}

/** How a pod ended: `Restarted` if it runs on with a sidecar started again, `Unknown` if it is gone and no read showed its end. */
export type PodEnd = 'Succeeded' | 'Failed' | 'Restarted' | 'Unknown';

/** How a pod ended; one that is gone may have been seen to end, or this sweep has removed it. */
export function endOf(
  { restartPolicy, restarts }: Pick<PodView, 'restartPolicy' | 'restarts'>,
  reading: PodReading,
  seen: Seen,
  attempts: readonly Attempt[],
): PodEnd {
  switch (reading.kind) {
    case 'Present': {
      const isRestarted = restartPolicy === 'OnFailure' && reading.pod.restarts > restarts;
      return endIn(reading.pod.phase) ?? (isRestarted ? 'Restarted' : 'Unknown');
    }
    case 'Gone': {
      const end = endIn(seen.phase);
      if (end || isTakenAway(seen, attempts)) return end ?? 'Unknown';
      const hasFailed = seen.hasEndedUnclean && restartPolicy === 'Never';
      return hasFailed || hasEndedPod(attempts) ? 'Failed' : 'Unknown';
    }
    case 'Replaced':
    case 'Unreadable':
      return 'Unknown';
  }
}

function endIn(phase: string | undefined): 'Succeeded' | 'Failed' | undefined {
  return phase === 'Succeeded' || phase === 'Failed' ? phase : undefined;
}

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
      const { complete, failed, failedIndexes } = reading.job;
      if (complete) return { kind: 'Complete' };
      if (failed !== undefined) return { kind: 'Failed', reason: failed };
      if (end === 'Succeeded') return { kind: 'Active' };
      const index = Number(pod.annotations[completionIndex] ?? Number.NaN);
      if (failedIndexes.some(([first, last]) => first <= index && index <= last)) {
        return { kind: 'IndexFailed' };
      }
      // A Job that has neither finished nor given up makes up for a failed pod, after a back-off of 10 s or more.
      return end === 'Failed' ? { kind: 'RunsAgain' } : { kind: 'Active' };
    }
  }
}

const completionIndex = 'batch.kubernetes.io/job-completion-index';

/** What may have done harm to the work of a pod. */
export interface Deed {
  readonly candidate: Candidate;
  /** What any unclean end costs, by the plan. */
  readonly cost: UncleanCost;
  /** Of all sidecars of the pod. */
  readonly attempts: readonly Attempt[];
  readonly seen: Seen;
  readonly end: PodEnd;
  readonly job: JobReaction;
  /** How its sidecars ended by this sweep, except for those that ended with 0. */
  readonly ends: readonly UncleanEnd[];
}

export interface HarmFound {
  readonly kind: HarmKind;
  /** The cluster has not reacted yet, or that could not be read. */
  readonly expected?: true;
}

/** What this sweep, and no other cause, did to the work of a pod that was finished. */
export function harmOf(deed: Deed): HarmFound | undefined {
  const { candidate, attempts, seen, end, job, ends } = deed;
  if (candidate.mains.some(({ exitCode }) => exitCode !== 0)) return undefined;
  if (!attempts.some(mayHaveWorked) || isTakenAway(seen, attempts)) return undefined;
  // A clean image swap is a restart as well, which a Job counts under OnFailure (recorded: image-swap-onfailure-backoff-one-fails).
  if (end === 'Succeeded' && !seen.hasEndedUnclean) return undefined;
  switch (job.kind) {
    case 'Failed':
      // The Job's own deadline.
      return job.reason === 'DeadlineExceeded' ? undefined : { kind: 'JobFailed' };
    case 'IndexFailed':
    case 'RunsAgain':
      // A failed pod stays, for some time at least. One that vanished while its containers ran was deleted by another client.
      return end === 'Failed' ? { kind: job.kind } : undefined;
    case 'NoJob':
      if (end === 'Failed' && isJudgedByPod(deed)) return { kind: 'PodFailed' };
      return jobOf(candidate.pod) && ends.length > 0 ? expectedHarm(deed) : undefined;
    case 'Active':
    case 'Unknown':
      return ends.length > 0 ? expectedHarm(deed) : undefined;
    case 'Complete':
    case 'Gone':
      return undefined;
  }
}

/** A sidecar has ended unclean, and the sweep cannot wait for what its Job does about that. */
function expectedHarm({ cost, end, candidate }: Deed): HarmFound | undefined {
  if (end === 'Restarted' || candidate.pod.restartPolicy === 'OnFailure') return undefined;
  switch (cost.kind) {
    case 'Nothing':
    case 'Restart':
      return undefined;
    case 'AnotherRun':
      return { kind: 'RunsAgain', expected: true };
    case 'Index':
      return { kind: 'IndexFailed', expected: true };
    case 'Job':
      return { kind: 'JobFailed', expected: true };
  }
}

/** Whether the pod has an owner that is no Job, or a platform, which takes its end for that of its work. */
function isJudgedByPod({ candidate, attempts, ends }: Deed): boolean {
  if (jobOf(candidate.pod)) return false;
  const all = candidate.sidecars.map(
    ({ container: { name } }): UncleanEnd => ({ container: name, exitCode: undefined, withPod: true }),
  );
  return (hasEndedPod(attempts) ? all : ends).some(
    (end) => costOf(candidate, undefined, end).kind !== 'Nothing',
  );
}

/** Whether another client has ended the pod: a drain, a preemption, a deletion. */
function isTakenAway({ isDisrupted, isDeletedFirst }: Seen, attempts: readonly Attempt[]): boolean {
  return (isDisrupted || isDeletedFirst) && !hasEndedPod(attempts);
}

/** Whether the sweep itself may have ended the whole pod: its own eviction disrupts the pod, too. */
function hasEndedPod(attempts: readonly Attempt[]): boolean {
  return attempts.some((attempt) => endsPod(attempt.step.method) && mayHaveWorked(attempt));
}
