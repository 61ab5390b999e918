import { mayHaveWorked } from '../methods/attempt.ts';
import type { JobReaction } from '../model/job.ts';
import { concludeJob } from '../model/job-reaction.ts';
import { observe } from '../model/observation.ts';
import type { ContainerOutcome, PodOutcome, StillRunningBecause } from '../model/outcome.ts';
import { jobOf } from '../model/pod.ts';
import type { JobReading, Observation, PodReading } from '../model/reading.ts';
import type { UncleanExit } from '../model/step.ts';
import type { Warning } from '../model/warning.ts';
import { isNotUpgraded, isUnderWay, standingOf, timeOfProof } from '../plan/attempts.ts';
import { harmOf } from '../plan/harm.ts';
import type { Attempt, PodConclusion, TargetConclusion } from '../plan/sweep-event.ts';
import type { PlannedStep, PlannedTarget } from '../plan/sweep-plan.ts';
import type { Millis } from '../util/time.ts';
import { lastReading, type PodRun, podEndOf, podIn } from './pod-run.ts';
import { isSwapAccepted, type SidecarRun } from './sidecar-run.ts';

export function concludeRun(
  run: PodRun,
  jobReading: JobReading | undefined,
  mode: UncleanExit,
  now: Millis,
): PodConclusion {
  const { candidate, uncleanCost } = run.plan;
  const { pod } = candidate;
  const reading = lastReading(run);
  const end = podEndOf(run);
  const job = jobReading ? concludeJob(jobReading, podIn(run), end) : ({ kind: 'NoJob' } as const);
  const targets = run.sidecars.map((sidecar) => concludeSidecar(sidecar, reading, now));
  const outcomes = targets.map((target) => target.outcome);
  const mainFailed = candidate.mains.some(({ exitCode }) => exitCode !== 0);
  const concluded = { pod: pod.ref, targets, outcome: concludePod(reading, outcomes, job), mainFailed };
  const attempts = run.sidecars.flatMap((one) => one.attempts);
  const unclean = targets.filter(endedUnclean);
  // A restart costs nothing unless the Job counts it.
  const costly = unclean.filter(
    ({ outcome: { kind } }) => kind === 'Stopped' || pod.restartPolicy === 'OnFailure',
  );
  const ends = costly.map(({ container, outcome: { exitCode } }) => ({ container, exitCode }));
  const isCut = run.stopping !== undefined;
  const isClean = outcomes.every((one) => 'exitCode' in one && one.exitCode === 0);
  const deed = { candidate, cost: uncleanCost, attempts, seen: run.seen, end, job, ends, isCut, isClean };
  const harm = harmOf(deed);
  if (!harm) return concluded;
  // Of a pod that is gone, the ends are not known any more.
  const blamed = unclean.length > 0 ? unclean : targets.filter(lastStepOf);
  const isOwners = blamed.every((target) => lastStepOf(target)?.promisedBy === 'Owner');
  const permitted = mode === 'allow' || isOwners;
  return { ...concluded, harm: { ...harm, permitted, job: jobOf(pod) } };
}

/** The step that ended the sidecar, or was sent last. */
function lastStepOf({ attempts }: TargetConclusion): PlannedStep | undefined {
  return attempts.findLast(mayHaveWorked)?.step;
}

export function warningOf({ pod, harm }: PodConclusion): Warning | undefined {
  if (!harm) return undefined;
  const { namespace, name } = pod;
  const { kind, job, expected } = harm;
  if (kind === 'PodFailed' || !job) return { kind: 'PodHarmed', namespace, name };
  return { kind: 'JobHarmed', namespace, name, job: job.name, harm: kind, ...(expected && { expected }) };
}

interface UncleanTarget extends TargetConclusion {
  readonly outcome: Extract<ContainerOutcome, { readonly kind: 'Stopped' | 'Restarted' }>;
}

/** Whether this sweep ended a sidecar with a code other than 0, or with one that is unknown. */
function endedUnclean(target: TargetConclusion): target is UncleanTarget {
  const { outcome } = target;
  return (outcome.kind === 'Stopped' || outcome.kind === 'Restarted') && outcome.exitCode !== 0;
}

function concludeSidecar(sidecar: SidecarRun, reading: PodReading, now: Millis): TargetConclusion {
  const { container, attempts } = sidecar;
  const seen = lastSeen(sidecar, reading);
  const endedAt = seen.kind === 'Exited' ? seen.finishedAt : undefined;
  if (sidecar.kind === 'Open') {
    const outcome = concludeTarget(sidecar.target, attempts, seen, now >= timeOfProof(attempts));
    return { container, attempts, outcome, endedAt };
  }
  const outcome = seen.kind === 'Running' ? sidecar.outcome : concludeOther(attempts, seen);
  return { container, attempts, outcome, endedAt };
}

/**
 * How it ended stays known of a pod that is gone, which a Job with ttlSecondsAfterFinished: 0 takes with it. A no-op image that was
 * seen to fail may be started again, and then waits for that.
 */
function lastSeen(sidecar: SidecarRun, reading: PodReading): Observation {
  const seen: Observation = sidecar.watched ? observe(reading, sidecar.watched) : { kind: 'Running' };
  const isStartedAgain =
    (seen.kind === 'NotStarted' && seen.ended === undefined) || (seen.kind === 'Running' && seen.swapped);
  return sidecar.kind === 'Open' && sidecar.observation.kind === 'Exited' && !isStartedAgain
    ? sidecar.observation
    : seen;
}

/** A read proves that the sidecar runs on only if its status cannot lag any more, or the sidecar has answered. */
export function concludeTarget(
  target: Pick<PlannedTarget, 'turn' | 'steps' | 'uncertain'>,
  attempts: readonly Attempt[],
  observation: Observation,
  isProof: boolean,
): ContainerOutcome {
  if (observation.kind !== 'Running') return concludeOther(attempts, observation);
  const pending = whatIsPending(target, attempts, observation);
  if (pending) return { kind: 'StillRunning', because: { kind: pending } };
  const doubt = doubtOf(attempts, isProof);
  if (doubt === undefined) return { kind: 'StillRunning', because: whyOutlived(attempts) };
  const problem = `its status shows it running, but it ${doubt}`;
  return { kind: 'Unproven', problem };
}

type Running = Extract<Observation, { readonly kind: 'Running' }>;

function concludeOther(
  attempts: readonly Attempt[],
  observation: Exclude<Observation, Running>,
): ContainerOutcome {
  switch (observation.kind) {
    case 'Exited': {
      const { exitCode, signal } = observation;
      if (!attempts.some(mayHaveWorked)) return { kind: 'AlreadyEnded', exitCode };
      return { kind: 'Stopped', exitCode, ...(signal !== undefined && { signal }) };
    }
    case 'Restarted': {
      const { restartCount, exitCode } = observation;
      return { kind: 'Restarted', restartCount, ...(exitCode !== undefined && { exitCode }) };
    }
    case 'NotStarted': {
      const { ended, reason } = observation;
      return ended === undefined ? { kind: 'NotStarted', reason } : { kind: 'Stopped', exitCode: ended };
    }
    case 'Gone':
      return { kind: 'Gone' };
    case 'Replaced':
      return { kind: 'Replaced', uid: observation.uid };
    case 'Unreadable':
      return { kind: 'Unproven', problem: observation.problem.message };
  }
}

/** What the sweep did not take, or did not wait for, although it may end the sidecar. */
function whatIsPending(
  { turn, steps, uncertain }: Pick<PlannedTarget, 'turn' | 'steps' | 'uncertain'>,
  attempts: readonly Attempt[],
  { swapped }: Running,
): 'LastResortDue' | 'CarriesOthers' | 'SwapUnderWay' | 'UnderWay' | undefined {
  if (attempts.length === 0) {
    if ([...steps, ...uncertain].length === 0) return 'LastResortDue';
    return turn > 0 ? 'CarriesOthers' : undefined;
  }
  // The kubelet replaces the container, however long its preStop hook, its end and the pull take.
  if (!swapped && attempts.some(isSwapAccepted)) return 'SwapUnderWay';
  return isUnderWay(attempts) ? 'UnderWay' : undefined;
}

/** Why a status that shows the container running does not prove that it runs. */
function doubtOf(attempts: readonly Attempt[], isProof: boolean): string | undefined {
  const standing = standingOf(attempts);
  if (standing.kind === 'MayHaveEnded') return `may have ended already: ${standing.message}`;
  return isProof ? undefined : 'may have ended already, or may still end by what was sent to it';
}

/** The most telling attempt: a last resort that was refused, one that operators can help or decide about, or the last. */
function whyOutlived(attempts: readonly Attempt[]): StillRunningBecause {
  const left = attempts.filter((attempt) => !isRefuted(attempt, attempts));
  const all = left.map(reasonOf);
  const telling = left.filter(isTelling).map(reasonOf);
  const blocked = telling.find(({ kind }) => kind === 'Blocked');
  const resort = left.findLast(({ step }) => step.source.kind === 'LastResort');
  const why = resort && reasonOf(resort);
  if (why?.kind === 'Undelivered' || why?.kind === 'Refused') return why;
  return (
    all.find(({ kind }) => kind === 'Outlived') ??
    (blocked && telling.find(({ kind }) => kind === 'Refused')) ??
    blocked ??
    telling.at(-1) ??
    all.at(-1) ?? { kind: 'Outlived' }
  );
}

function reasonOf({ result }: Attempt): StillRunningBecause {
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
    case 'Undelivered':
      return { kind: isNotUpgraded(result) ? 'Unsupported' : 'Undelivered', message: result.message };
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
  const shared = open.filter((one) => !isCarrying(one)).map(sharedWithPod);
  const [first] = shared;
  return first && shared.every((one) => one?.kind === first.kind) ? first : { kind: 'Stuck' };
}

/** Whether a proxy was left for the sidecars that may talk through it, which say why the pod is left. */
function isCarrying(outcome: ContainerOutcome): boolean {
  return outcome.kind === 'StillRunning' && outcome.because.kind === 'CarriesOthers';
}

/** Only if nothing at all was sent does the pod share the reason of its sidecars. */
function sharedWithPod(outcome: ContainerOutcome): PodOutcome | undefined {
  if (outcome.kind === 'Skipped' || outcome.kind === 'NotAttempted') return outcome;
  const isBlocked = outcome.kind === 'StillRunning' && outcome.because.kind === 'Blocked';
  return isBlocked ? outcome.because : undefined;
}
