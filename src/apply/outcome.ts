import { mayHaveWorked } from '../methods/attempt.ts';
import { newImageOf } from '../methods/index.ts';
import type { JobReaction } from '../model/job.ts';
import type { ContainerOutcome, PodOutcome, StillRunningBecause } from '../model/outcome.ts';
import type { Observation, PodReading } from '../model/reading.ts';
import { isUnderWay, standingOf } from '../plan/attempts.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { PlannedTarget } from '../plan/sweep-plan.ts';

/**
 * The outcome of a sidecar: a pure function of the attempts and of a read of the pod after them. The read proves that the
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
    case 'NotStarted': {
      const { ended, reason } = observation;
      // Whether the swap or the sidecar itself ended the old container is unknown, but a clean end is one either way.
      if (ended === 0) return { kind: 'AlreadyEnded', exitCode: 0 };
      return ended === undefined ? { kind: 'NotStarted', reason } : { kind: 'Stopped', exitCode: ended };
    }
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

/**
 * Whether something that was sent may have ended it. A swap ends a container for the no-op image, also if the kubelet then cannot
 * start that; whether it was the swap that ended it with 0 is unknown, and makes no difference.
 */
export function mayHaveEnded(
  attempts: readonly Attempt[],
  { swapped, unstarted }: Pick<Extract<Observation, { kind: 'Exited' }>, 'swapped' | 'unstarted'>,
): boolean {
  const bySwap = swapped || unstarted;
  return attempts.some(
    (attempt) => mayHaveWorked(attempt) && (bySwap || newImageOf(attempt.step) === undefined),
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

/** The outcome of a pod, by those of its sidecars. */
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
