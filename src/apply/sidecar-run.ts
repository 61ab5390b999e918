import { mayHaveWorked } from '../methods/attempt.ts';
import { endsPod, newImageOf, rbacOf } from '../methods/index.ts';
import { killed, observe, type Watched } from '../model/observation.ts';
import type { BlockedReason, ContainerOutcome } from '../model/outcome.ts';
import type { Observation } from '../model/reading.ts';
import { cannotStartReason } from '../model/swap.ts';
import { isNotUpgraded, isUnderWay, mayHaveEnded, standingOf, timeOfProof } from '../plan/attempts.ts';
import { gentlerThan } from '../plan/blocked.ts';
import { staysBefore } from '../plan/order.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { PlannedStep, PlannedTarget, Target, Turn } from '../plan/sweep-plan.ts';
import type { Millis } from '../util/time.ts';
import type { StepEnd } from './gates/gate.ts';
import type { StepResult, StepRun } from './step-run.ts';

export type SidecarRun = OpenSidecar | ClosedSidecar;

export interface OpenSidecar {
  readonly kind: 'Open';
  readonly container: string;
  readonly target: PlannedTarget;
  /** The instance that the next reading is searched for. */
  readonly watched: Watched;
  readonly attempts: readonly Attempt[];
  /** Its state by the last reading that concerned it. */
  readonly observation: Observation;
  /** How many of its own steps were considered. */
  readonly considered: number;
  /** Nothing more is done in this stage. */
  readonly isDone: boolean;
  /** The step that is on its way; several sidecars may have the same. */
  readonly step?: StepRun | undefined;
  /** Until when it is watched because its status may lag behind its end. */
  readonly lagsUntil?: Millis | undefined;
}

/** Nothing more is done: the sidecar was skipped, or the pod changed before anything could be sent. */
interface ClosedSidecar {
  readonly kind: 'Closed';
  readonly container: string;
  readonly turn: Turn;
  /** The instance that the last reading is searched for: it was left alone, and may have ended since. */
  readonly watched?: Watched;
  readonly attempts: readonly Attempt[];
  readonly outcome: ContainerOutcome;
}

export function beginSidecar(target: Target): SidecarRun {
  const { container, containerId } = target;
  switch (target.kind) {
    case 'Skipped':
      return {
        kind: 'Closed',
        container,
        turn: target.turn,
        attempts: [],
        outcome: target.outcome,
        ...(containerId !== undefined && { watched: { container, containerId } }),
      };
    case 'Planned':
      return {
        kind: 'Open',
        container,
        target,
        watched: { container, containerId: target.containerId },
        attempts: [],
        observation: { kind: 'Running' },
        considered: 0,
        isDone: false,
      };
  }
}

export function afterStep(before: OpenSidecar, result: StepResult, isShared: boolean): SidecarRun {
  const { container, attempts } = before;
  const sidecar = { ...before, step: undefined };
  switch (result.kind) {
    case 'Attempted': {
      const watched = result.watched.find((one) => one.container === container);
      // It had ended by the time the step was sent to the others.
      if (!watched) return sidecar;
      const after = { ...sidecar, watched, attempts: [...attempts, ...result.attempts] };
      // If nothing of it arrived, an end is that of the steps before.
      if (!result.attempts.some(mayHaveWorked)) return after;
      return {
        ...after,
        observation: result.reading ? observe(result.reading, watched) : { kind: 'Running' },
      };
    }
    // The reading that shows it is told besides.
    case 'AlreadyEnded':
      return sidecar;
    case 'NotSent': {
      const { outcome } = result;
      // If steps were sent before, only a reading proves what became of them.
      const isLeft = attempts.length > 0 && (isShared || outcome.kind === 'NotAttempted');
      if (isLeft) return { ...sidecar, isDone: true };
      return { kind: 'Closed', container, turn: before.target.turn, attempts, outcome };
    }
  }
}

export function endOfStep(result: StepResult): StepEnd {
  if (result.kind !== 'Attempted' || !result.attempts.some(mayHaveWorked)) return 'NotSent';
  const { reading, watched, attempts } = result;
  if (!reading) return 'Unseen';
  if (reading.kind === 'Present' && (reading.pod.deleting || reading.pod.disrupted)) return 'Unseen';
  const ends = watched.map((one) => endOfOne(observe(reading, one), attempts));
  return gravest.find((end) => ends.includes(end)) ?? 'NotSent';
}

const gravest: readonly StepEnd[] = ['Unclean', 'Killed', 'NotStarted', 'Pending', 'Unseen', 'Clean'];

function endOfOne(seen: Observation, attempts: readonly Attempt[]): StepEnd {
  switch (seen.kind) {
    case 'Exited':
      if (!mayHaveEnded(attempts, seen)) return 'NotSent';
      if (seen.exitCode === 0) return 'Clean';
      if (seen.swapped || seen.unstarted) return 'NotStarted';
      return seen.exitCode === killed ? 'Killed' : 'Unclean';
    case 'Restarted':
      if (!mayHaveEnded(attempts, {})) return 'Unseen';
      return seen.exitCode === killed ? 'Killed' : 'Unclean';
    case 'NotStarted':
      if (seen.ended === 0) return 'NotSent';
      return seen.ended !== undefined || cannotStartReason(seen.reason) ? 'NotStarted' : 'Unseen';
    case 'Running':
      return !seen.swapped && attempts.some(isSwapAccepted) ? 'Pending' : 'Unseen';
    case 'Gone':
    case 'Replaced':
    case 'Unreadable':
      return 'Unseen';
  }
}

export function isSwapAccepted({ step, result }: Attempt): boolean {
  return newImageOf(step) !== undefined && result.kind === 'Accepted';
}

/** Why a step is not sent, apart from the gates: by the plan, or because of what became of the steps before it. */
export function whyNotSent(
  step: PlannedStep,
  sidecars: readonly Pick<OpenSidecar, 'attempts'>[],
): BlockedReason | undefined {
  if (step.blocked) return step.blocked;
  const attempts = sidecars.flatMap((one) => one.attempts);
  const gentler = gentlerThan(step, attempts)?.result;
  if (gentler?.kind === 'Blocked') return gentler.reason;
  // A sidecar that breaks one promise is not asked in another way; only a swap takes its exit code out of the matter.
  const isAsked = newImageOf(step) === undefined && !endsPod(step.method);
  const isBroken = attempts.some(
    ({ result }) => result.kind === 'Blocked' && result.reason === 'PromiseBroken',
  );
  return isAsked && isBroken ? 'PromiseBroken' : undefined;
}

/**
 * Whether a step needs the same upgrade as one before it that was refused at every try, or the same permission as the TERM before it.
 * If it got through after all, a KILL would follow a TERM that never arrived.
 */
export function wouldBeRefused(step: PlannedStep, { attempts }: OpenSidecar): boolean {
  if (gentlerThan(step, attempts)?.result.kind === 'Refused') return true;
  return attempts.some(
    ({ step: before, result }) =>
      isNotUpgraded(result) && rbacOf(before).some((rule) => rbacOf(step).includes(rule)),
  );
}

/** Whether its status cannot lag any more, or it has given a sign of life. */
export function isProved({ observation, attempts }: OpenSidecar, now: Millis): boolean {
  return observation.kind !== 'Running' || now >= timeOfProof(attempts);
}

/** Whether a harsher step may follow: never because a request or a read failed, because a status may lag or a wait was cut. */
export function mayGoOn({ observation, attempts }: OpenSidecar): boolean {
  if (observation.kind === 'Unreadable') return false;
  // That it was restarted says nothing of a request to the pod since.
  if (observation.kind !== 'Running') return standingOf(attempts.slice(-1)).kind !== 'NotReached';
  return !isUnderWay(attempts) && standingOf(attempts).kind === 'Answered';
}

const mayRun: readonly Observation['kind'][] = ['Running', 'Restarted', 'Unreadable'];

export function mayStillRun(sidecar: OpenSidecar): boolean {
  return mayRun.includes(sidecar.observation.kind) && !isSwapped(sidecar);
}

/** Whether it may still run and talk through the proxies of a turn, also if nothing may be sent to it. */
export function mayTalk(sidecar: SidecarRun, through: Turn): boolean {
  if (sidecar.kind === 'Open') return mayStillRun(sidecar) && sidecar.target.turn < through;
  return staysBefore(sidecar, through);
}

/** An image swap that may have arrived is under way, however long it takes: no reason for a harsher step. */
export function isSwapped({ attempts }: OpenSidecar): boolean {
  return attempts.some((attempt) => newImageOf(attempt.step) !== undefined && mayHaveWorked(attempt));
}
