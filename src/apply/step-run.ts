import { endsPod, newImageOf } from '../methods/index.ts';
import { hasEnded, type Watched } from '../model/observation.ts';
import type { BlockedReason, StopReason } from '../model/outcome.ts';
import type { PodReading } from '../model/reading.ts';
import { isNotUpgraded, timeToShow } from '../plan/attempts.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { PlannedStep } from '../plan/sweep-plan.ts';
import type { Reported } from '../plan/unsent.ts';
import { backOff, longestRetryAfter } from '../util/retry.ts';
import type { Millis } from '../util/time.ts';
import type { Sent } from './send.ts';

/** A step on its way: sent, sent again while it does not arrive, and watched until its effect shows. Plain data. */
export interface StepRun {
  /** Unique within the pod. */
  readonly id: number;
  readonly step: PlannedStep;
  readonly watched: readonly Watched[];
  readonly state: StepState;
  /** The attempts that may have arrived. */
  readonly arrived: readonly Attempt[];
  /** The last try that did not arrive. */
  readonly missed: Attempt | undefined;
  readonly tries: number;
  /** Until when a request that does not arrive is sent again. */
  readonly givesUpAt: Millis;
  /** How often it was sent again because it was unclear whether it had arrived. */
  readonly again: number;
}

type StepState =
  /** The gates are asked, or the request is in flight. */
  | { readonly kind: 'Asked' }
  | { readonly kind: 'Paused'; readonly until: Millis }
  /** Its effect may show until it is `due`; the sweep waits no longer than `until`. */
  | { readonly kind: 'Showing'; readonly until: Millis; readonly due: Millis };

export type StepResult =
  | {
      readonly kind: 'Attempted';
      readonly attempts: readonly Attempt[];
      readonly watched: readonly Watched[];
      readonly reading: PodReading | undefined;
    }
  | Extract<Sent, { readonly kind: 'AlreadyEnded' | 'NotSent' }>;

export type StepMove = { readonly report?: Reported } & (
  | { readonly kind: 'Waits'; readonly run: StepRun }
  /** Asks the gates; a step that is sent again has its place already. */
  | { readonly kind: 'Sends'; readonly run: StepRun; readonly isAgain: boolean }
  | { readonly kind: 'Done'; readonly result: StepResult }
);

export interface StepTimes {
  readonly now: Millis;
  readonly cut: (time: Millis) => Millis;
  readonly stopping: StopReason | undefined;
}

/** A request that does not arrive is worth this many tries, even if the grace of the step is shorter. */
const leastTries = 5;

export function beginStep(
  id: number,
  step: PlannedStep,
  watched: readonly Watched[],
  { now, cut }: StepTimes,
): StepRun {
  const givesUpAt = now + cut(step.grace);
  const state = { kind: 'Asked' } as const;
  return { id, step, watched, state, arrived: [], missed: undefined, tries: 0, givesUpAt, again: 0 };
}

/** When an earlier sweep sent a step, and until when that may work. */
export interface Begun {
  readonly at: Millis;
  readonly due: Millis;
}

/** A step that an earlier sweep sent and did not wait for: what is left of its time is waited for. */
export function recallStep(run: StepRun, begun: Begun, { now, cut }: StepTimes): StepMove {
  const result = { kind: 'Accepted', message: 'an earlier sweep sent it' } as const;
  const attempt: Attempt = { step: run.step, sentAt: begun.at, duration: 0, result };
  const until = now + cut(begun.due - now);
  const state = { kind: 'Showing', until, due: begun.due } as const;
  return { kind: 'Waits', run: { ...run, arrived: [attempt], state } };
}

export function blockStep(run: StepRun, reason: BlockedReason, now: Millis): StepMove {
  const attempt: Attempt = { step: run.step, sentAt: now, duration: 0, result: { kind: 'Blocked', reason } };
  return done(run, attempt);
}

/** What did not arrive is sent again: no harsher step may follow a request that merely failed. `jitter`, 0 to 1, spreads tries. */
export function afterSent(run: StepRun, sent: Sent, jitter: number, times: StepTimes): StepMove {
  switch (sent.kind) {
    case 'AlreadyEnded':
      return run.arrived.length > 0 || run.missed
        ? done(run, undefined, sent.reading)
        : { kind: 'Done', result: sent };
    case 'NotSent': {
      const isNodeLost = sent.outcome.reason === 'NodeUnreachable' && run.missed;
      return run.arrived.length > 0 || isNodeLost ? done(run) : { kind: 'Done', result: sent };
    }
    case 'Attempted':
      return hasMissed(sent.attempt)
        ? afterMiss(run, sent.attempt, jitter, times)
        : afterArrival(run, sent.attempt, sent.watched, times);
  }
}

function afterMiss(run: StepRun, attempt: Attempt, jitter: number, { now, stopping }: StepTimes): StepMove {
  const missed = run.missed ? withUpgradeOf(run.missed, attempt) : attempt;
  const tries = run.tries + 1;
  const asked = attempt.result.kind === 'Busy' ? (attempt.result.retryAfterMs ?? 0) : 0;
  const pause = Math.min(asked, longestRetryAfter) + backOff(tries, () => jitter);
  const again = { ...run, missed, tries, state: { kind: 'Paused', until: now + pause } } as const;
  const mayTry = !stopping && (tries < leastTries || now + pause <= run.givesUpAt);
  return mayTry ? { kind: 'Waits', run: again } : done(again);
}

/** That no connection is ever upgraded here is known only if every try was refused it. */
function withUpgradeOf(before: Attempt, attempt: Attempt): Attempt {
  if (attempt.result.kind !== 'Undelivered' || isNotUpgraded(before.result)) return attempt;
  const { noUpgrade: _, ...result } = attempt.result;
  return { ...attempt, result };
}

function afterArrival(
  before: StepRun,
  attempt: Attempt,
  watched: readonly Watched[],
  { now, cut }: StepTimes,
): StepMove {
  // Those that ended in between did not get it again.
  const newest = (one: Watched) => watched.find(({ container }) => container === one.container) ?? one;
  const later = before.arrived.length === 0 ? watched : before.watched.map(newest);
  const run = { ...before, watched: later, arrived: [...before.arrived, attempt], missed: undefined };
  const time = timeToShow(attempt);
  const report = reportOf(run, attempt);
  if (time <= 0) return { kind: 'Done', result: attemptedIn(run), report };
  const state = { kind: 'Showing', until: now + cut(time), due: now + time } as const;
  return { kind: 'Waits', run: { ...run, state }, report };
}

export function afterReading(run: StepRun, reading: PodReading): StepMove {
  const isOver = run.state.kind === 'Showing' && run.watched.every((one) => hasEnded(reading, one));
  return isOver ? done(run, undefined, reading) : { kind: 'Waits', run };
}

/** After some time, or when the sweep is stopping, which ends all waits. */
export function afterTime(run: StepRun, last: PodReading | undefined, times: StepTimes): StepMove {
  const { now, cut, stopping } = times;
  const { state, step } = run;
  const isOver = state.kind !== 'Asked' && (stopping !== undefined || now >= state.until);
  if (!isOver) return { kind: 'Waits', run };
  if (state.kind === 'Paused') {
    return stopping
      ? done(run)
      : { kind: 'Sends', run: { ...run, state: { kind: 'Asked' } }, isAgain: run.arrived.length > 0 };
  }
  const isCut = state.until < state.due;
  const attempt = run.arrived.at(-1);
  if (!stopping && !isCut && attempt && run.again < timesAgain(attempt)) {
    const givesUpAt = now + cut(step.grace);
    const asked = { ...run, state: { kind: 'Asked' }, tries: 0, givesUpAt, again: run.again + 1 } as const;
    return { kind: 'Sends', run: asked, isAgain: true };
  }
  if (!isCut || !attempt) return done(run, undefined, last);
  const open = { ...attempt, due: state.due };
  return done({ ...run, arrived: [...run.arrived.slice(0, -1), open] }, undefined, last);
}

/**
 * How often a step may be sent again of which it is unknown whether it arrived: three times if the sidecar most likely learns of it
 * for the first time, or learns nothing of a write to the pod that was made already. If it had arrived, a second TERM or request to
 * quit tells the sidecar what it knows, and a container that has ended does not run the command at all. A harsher step would be the
 * worse error.
 */
function timesAgain({ step, result }: Attempt): number {
  if (result.kind !== 'Unconfirmed') return 0;
  const isWrite = newImageOf(step) !== undefined || endsPod(step.method);
  return result.unopened || isWrite ? 3 : 1;
}

function done(run: StepRun, attempt?: Attempt, reading?: PodReading): StepMove {
  const last = attempt ?? run.missed;
  const result = attemptedIn(run, last, reading);
  return { kind: 'Done', result, ...(last && { report: reportOf(run, last) }) };
}

function reportOf({ watched }: StepRun, attempt: Attempt): Reported {
  return { containers: watched.map(({ container }) => container), attempt };
}

function attemptedIn(run: StepRun, last?: Attempt, reading?: PodReading): StepResult {
  const attempts = last ? [...run.arrived, last] : run.arrived;
  return { kind: 'Attempted', attempts, watched: run.watched, reading };
}

function hasMissed({ result }: Attempt): boolean {
  return result.kind === 'Busy' || result.kind === 'Undelivered';
}
