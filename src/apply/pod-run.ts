import { mayHaveWorked } from '../methods/attempt.ts';
import { endsPod } from '../methods/index.ts';
import type { PodEnd } from '../model/job-reaction.ts';
import { hasEnded, isEnd, nothingSeen, observe, type Seen, see, type Watched } from '../model/observation.ts';
import type { BlockedReason, StopReason } from '../model/outcome.ts';
import type { PodView } from '../model/pod.ts';
import type { JobReading, PodReading } from '../model/reading.ts';
import { isUnderWay, timeOfProof } from '../plan/attempts.ts';
import { endOf } from '../plan/harm.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import { imageAfter, isFor, type PlannedStep, type PodPlan, type Turn } from '../plan/sweep-plan.ts';
import type { Reported } from '../plan/unsent.ts';
import type { Millis } from '../util/time.ts';
import type { StepEnd } from './gates/gate.ts';
import {
  afterJob,
  afterOthers,
  afterSteps,
  type EndAction,
  type EndContext,
  type EndMove,
  endAfterReading,
  endAfterTime,
  mustTellFailure,
  type PodEnding,
} from './pod-end.ts';
import type { Sent } from './send.ts';
import {
  afterStep,
  beginSidecar,
  endOfStep,
  isProved,
  isSwapped,
  mayGoOn,
  mayStillRun,
  mayTalk,
  type OpenSidecar,
  type SidecarRun,
  whyNotSent,
  wouldBeRefused,
} from './sidecar-run.ts';
import {
  afterReading,
  afterSent,
  afterTime,
  type Begun,
  beginStep,
  blockStep,
  recallStep,
  type StepMove,
  type StepResult,
  type StepRun,
  type StepTimes,
} from './step-run.ts';

/**
 * How far a sweep is with a pod: plain data, changed only by `next`. Steps go from what is certain to what is not: those of each
 * sidecar that end it with 0, one image swap for all that are left, the uncertain ones, and last the steps for the whole pod.
 */
export interface PodRun {
  readonly plan: PodPlan;
  readonly options: RunOptions;
  readonly stage: Stage;
  /** Sidecars that others talk through take their steps when the others have ended. */
  readonly turn: Turn;
  readonly sidecars: readonly SidecarRun[];
  /** How many of the stage's steps for several sidecars were considered. */
  readonly considered: number;
  readonly seen: Seen;
  readonly ending: PodEnding;
  readonly stopping: StopReason | undefined;
  readonly nextId: number;
  /** For how long it has waited, and since when it waits now. */
  readonly waited: Millis;
  readonly waitingSince: Millis | undefined;
}

export interface RunOptions {
  readonly maxGrace: Millis;
  /** Finds the same step of an earlier sweep, which ended before the step's time was up. */
  readonly begun: (step: PlannedStep, watched: Watched, plan: PodPlan) => Begun | undefined;
}

type Stage = 'Certain' | 'Swap' | 'Uncertain' | 'LastResort' | 'End';

export type Fact =
  | { readonly kind: 'Begin' }
  | { readonly kind: 'Sent'; readonly id: number; readonly sent: Sent; readonly jitter: number }
  | { readonly kind: 'Blocked'; readonly id: number; readonly reason: BlockedReason }
  | { readonly kind: 'Observed'; readonly reading: PodReading }
  | { readonly kind: 'JobRead'; readonly reading: JobReading }
  | { readonly kind: 'TimeUp' }
  /** All other pods are concluded, or linger as well: a pod that lingers is read once more. */
  | { readonly kind: 'OthersDone' }
  | { readonly kind: 'Stop'; readonly reason: StopReason };

export type Action =
  /** Ask the gates, then send; a step that is sent again has its place behind them already. */
  | {
      readonly kind: 'Send';
      readonly id: number;
      readonly step: PlannedStep;
      readonly watched: readonly Watched[];
      readonly isAgain: boolean;
    }
  | ({ readonly kind: 'Report' } & Reported)
  | { readonly kind: 'StepOver'; readonly id: number; readonly end: StepEnd }
  /** A sidecar has ended after the time of its steps was over. */
  | {
      readonly kind: 'EndSeen';
      readonly container: string;
      readonly attempts: readonly Attempt[];
      readonly end: StepEnd;
    }
  | EndAction;

export function beginPod(plan: PodPlan, options: RunOptions): PodRun {
  return {
    plan,
    options,
    stage: 'Certain',
    turn: 0,
    sidecars: plan.targets.map(beginSidecar),
    considered: 0,
    seen: nothingSeen,
    ending: { kind: 'NotYet' },
    stopping: undefined,
    nextId: 0,
    waited: 0,
    waitingSince: undefined,
  };
}

export function next(before: PodRun, fact: Fact, now: Millis): readonly [PodRun, readonly Action[]] {
  const transition = new Transition(before, now);
  transition.hear(fact);
  while (transition.move() || transition.endWaits());
  const { run, actions } = transition;
  const { waited, waitingSince = now } = run;
  const isPaused = stepsIn(run).some(({ state }) => state.kind === 'Paused');
  const waits = (watchOf(run) !== undefined && !isLingering(run)) || isPaused;
  const times = waits ? { waitingSince } : { waited: waited + now - waitingSince, waitingSince: undefined };
  return [{ ...run, ...times }, actions];
}

/** From when until when readings of the pod are wanted; undefined if they are not. */
export function watchOf(run: PodRun): { readonly from: Millis; readonly until: Millis } | undefined {
  const { ending } = run;
  if (ending.kind === 'Settling' || ending.kind === 'Lingering') return ending;
  if (ending.kind === 'AwaitingRemoval') return { from: 0, until: ending.until };
  const untils = [
    ...stepsIn(run).flatMap(({ state }) => (state.kind === 'Showing' ? state.until : [])),
    ...openIn(run).flatMap(({ lagsUntil }) => lagsUntil ?? []),
  ];
  return untils.length === 0 ? undefined : { from: 0, until: Math.min(...untils) };
}

/** Whether no other pod needs to wait for it any more, and it waits for the end of the sweep. */
export function isLingering({ ending }: PodRun): boolean {
  return ending.kind === 'Lingering';
}

export function podEndOf(run: PodRun): PodEnd {
  const { plan, seen, sidecars } = run;
  const attempts = sidecars.flatMap((one) => one.attempts);
  return endOf(plan.candidate.pod, lastReading(run), seen, attempts);
}

/** The reading that the pod is concluded from. */
export function lastReading({ seen, plan }: PodRun): PodReading {
  return seen.last ?? { kind: 'Present', pod: plan.candidate.pod, asOf: undefined };
}

export function podIn(run: PodRun): PodView {
  const reading = lastReading(run);
  return reading.kind === 'Present' ? reading.pod : run.plan.candidate.pod;
}

function openIn({ sidecars }: PodRun): readonly OpenSidecar[] {
  return sidecars.filter((one) => one.kind === 'Open');
}

function stepsIn(run: PodRun): readonly StepRun[] {
  return [...new Set(openIn(run).flatMap(({ step }) => step ?? []))];
}

/** The last step gets this long to show its effect, and so does the phase after the last end. */
const shortestWait: Millis = 10_000;

/** One call of `next`: the run as it changes, and the actions so far. */
class Transition {
  readonly actions: Action[] = [];

  constructor(
    public run: PodRun,
    private readonly now: Millis,
  ) {}

  hear(fact: Fact): void {
    switch (fact.kind) {
      case 'Begin':
        return;
      case 'Sent':
        this.#moveStep(fact.id, (step) => afterSent(step, fact.sent, fact.jitter, this.#times()));
        if (fact.sent.kind === 'AlreadyEnded') this.#observed(fact.sent.reading);
        return;
      case 'Blocked':
        this.#moveStep(fact.id, (step) => blockStep(step, fact.reason, this.now));
        return;
      case 'Observed':
        this.#observed(fact.reading);
        return;
      case 'JobRead':
        this.#end((ending, context) => afterJob(ending, fact.reading, context));
        return;
      case 'TimeUp':
        this.#timeUp();
        return;
      case 'OthersDone':
        this.#end(afterOthers);
        return;
      case 'Stop':
        this.run = { ...this.run, stopping: this.run.stopping ?? fact.reason };
        this.#timeUp();
    }
  }

  /** Does the next thing that can be done without waiting; false if there is none. */
  move(): boolean {
    const { stage, turn, ending, seen } = this.run;
    const open = openIn(this.run);
    const mustWait = open.some((one) => one.step || one.lagsUntil !== undefined);
    switch (stage) {
      case 'Certain':
      case 'Uncertain': {
        const own = open.filter(({ target }) => target.turn === turn);
        const later = turn === 0 ? 1 : 2;
        const ready = own.find((one) => !one.isDone && !one.step);
        if (ready) this.#advance(ready);
        else if (mustWait) return false;
        else if (turn < 2 && !this.run.sidecars.some((one) => mayTalk(one, later))) {
          this.run = { ...this.run, turn: later };
        } else this.#enter(stage === 'Certain' ? 'Swap' : 'LastResort');
        return true;
      }
      case 'Swap':
      case 'LastResort':
        if (mustWait) return false;
        if (stage === 'LastResort' && open.some((one) => this.#isDue(one))) this.#enter('Uncertain');
        else if (!this.#takeShared()) this.#enter(stage === 'Swap' ? 'Uncertain' : 'End');
        return true;
      case 'End':
        if (ending.kind === 'NotYet') {
          // Ends that were seen while a step for the sidecar waited.
          if (seen.last) this.#notice(seen.last);
          this.#end((_, context) => afterSteps(context));
        }
        return false;
    }
  }

  /** When the sweep stops, a late answer must not start a wait, because pods are no longer read. */
  endWaits(): boolean {
    if (!this.run.stopping || !watchOf(this.run)) return false;
    this.#timeUp();
    return true;
  }

  #enter(stage: Stage): void {
    // After a proxy's own steps, a last resort goes on where it was.
    const considered = this.run.stage === 'Swap' ? 0 : this.run.considered;
    this.run = { ...this.run, stage, turn: 0, considered };
    for (const one of openIn(this.run)) this.#replace({ ...one, isDone: false });
  }

  /** Whether a proxy has waited for others that the last resort has ended, so that its own steps come next. */
  #isDue(sidecar: OpenSidecar): boolean {
    const { target, attempts, considered } = sidecar;
    const isLeft = attempts.length === 0 && considered < target.steps.length + target.uncertain.length;
    if (!isLeft || !mayStillRun(sidecar) || !mayGoOn(sidecar)) return false;
    return target.turn > 0 && !this.run.sidecars.some((one) => mayTalk(one, target.turn));
  }

  /** Takes a sidecar's next own step, or finds out whether it still runs after the last. */
  #advance(sidecar: OpenSidecar): void {
    const { target, observation, considered } = sidecar;
    // A proxy that has waited for the others so far has all of its steps left.
    const steps = this.run.stage === 'Certain' ? target.steps : [...target.steps, ...target.uncertain];
    const canGoOn = observation.kind === 'Running' && !isSwapped(sidecar) && mayGoOn(sidecar);
    const step = canGoOn ? steps[considered] : undefined;
    if (!step) {
      this.#prove({ ...sidecar, considered: steps.length, isDone: true });
      return;
    }
    const after = { ...sidecar, considered: considered + 1 };
    this.#replace(after);
    if (!wouldBeRefused(step, sidecar)) this.#begin(step, [after]);
  }

  /** Takes the next step for all sidecars that are left, by one request; false if there is none, or none may be taken. */
  #takeShared(): boolean {
    const { plan, considered, stage } = this.run;
    const steps = stage === 'LastResort' ? plan.lastResort : plan.swap ? [plan.swap] : [];
    const step = steps[considered];
    const left = openIn(this.run).filter(mayStillRun);
    // A step for the pod would end those that could not be asked, too.
    if (!step || !left.every((one) => mayGoOn(one) && isProved(one, this.now))) return false;
    this.run = { ...this.run, considered: considered + 1 };
    const able = left.filter(({ container }) => isFor(step, container));
    // A proxy ends with those that talk through it, or after them.
    const others = this.run.sidecars.filter((one) => !able.some((each) => each === one));
    const meant = able.filter(({ target }) => !others.some((one) => mayTalk(one, target.turn)));
    if (meant.length > 0) this.#begin(step, endsPod(step.method) ? able : meant);
    return true;
  }

  #begin(step: PlannedStep, sidecars: readonly OpenSidecar[]): void {
    const { nextId: id, options, plan } = this.run;
    const watched = sidecars.map((one) => one.watched);
    const begun = beginStep(id, step, watched, this.#times());
    this.run = { ...this.run, nextId: id + 1 };
    for (const one of sidecars) this.#replace({ ...one, step: begun });
    const reason = whyNotSent(step, sidecars);
    const before = watched.flatMap((one) => options.begun(step, one, plan) ?? []);
    if (reason) this.#moveStep(id, (run) => blockStep(run, reason, this.now));
    else if (before.length < watched.length) {
      this.actions.push({ kind: 'Send', id, step, watched, isAgain: false });
    } else {
      const at = Math.min(...before.map((one) => one.at));
      const due = Math.max(...before.map((one) => one.due));
      const swapped = watched.map((one) => ({
        ...one,
        swappedFor: imageAfter(step, one.container) ?? one.swappedFor,
      }));
      this.#moveStep(id, (run) => recallStep({ ...run, watched: swapped }, { at, due }, this.#times()));
    }
  }

  #moveStep(id: number, decide: (step: StepRun) => StepMove): void {
    const holders = openIn(this.run).filter((one) => one.step?.id === id);
    const step = holders[0]?.step;
    if (!step) return;
    const move = decide(step);
    if (move.report) this.actions.push({ kind: 'Report', ...move.report });
    if (move.kind === 'Done') {
      this.#stepDone(step, holders, move.result);
      return;
    }
    for (const one of holders) this.#replace({ ...one, step: move.run });
    const { state, watched } = move.run;
    if (state.kind === 'Paused') this.actions.push({ kind: 'Sleep', until: state.until });
    if (move.kind === 'Sends') {
      this.actions.push({ kind: 'Send', id, step: step.step, watched, isAgain: move.isAgain });
    }
  }

  #stepDone({ id }: StepRun, sidecars: readonly OpenSidecar[], result: StepResult): void {
    this.actions.push({ kind: 'StepOver', id, end: endOfStep(result) });
    const isShared = this.run.stage === 'Swap' || this.run.stage === 'LastResort';
    for (const one of sidecars) this.#replace(afterStep(one, result, isShared));
    if (!isShared) return;
    // After a step for the pod that was not sent, no other one is.
    if (result.kind !== 'Attempted') this.run = { ...this.run, considered: Number.POSITIVE_INFINITY };
    for (const one of openIn(this.run)) this.#prove(one);
  }

  /** Until the status cannot lag behind an end any more, nothing harsher may follow, and a promise may still be broken. */
  #prove(sidecar: OpenSidecar): void {
    const { attempts } = sidecar;
    const isOver = isProved(sidecar, this.now) || isUnderWay(attempts) || this.run.stopping;
    const lagsUntil = isOver ? undefined : this.now + this.#cut(timeOfProof(attempts) - this.now);
    this.#replace({ ...sidecar, lagsUntil });
  }

  #observed(reading: PodReading): void {
    const { plan, seen, ending } = this.run;
    // A failed read shows nothing new, and an end that was seen stays true.
    const isKept =
      reading.kind === 'Unreadable' &&
      seen.last !== undefined &&
      !mustTellFailure(ending, this.#endContext());
    if (!isKept) this.run = { ...this.run, seen: see(seen, plan.candidate, reading) };
    for (const { id } of stepsIn(this.run)) this.#moveStep(id, (step) => afterReading(step, reading));
    this.#notice(reading);
    this.#end((before, context) => endAfterReading(before, reading, context));
  }

  /** Also after the time of its steps, the end of a sidecar concerns their promises, so the gates are told. */
  #notice(reading: PodReading): void {
    if (reading.kind === 'Unreadable') return;
    for (const one of openIn(this.run)) {
      const { container, attempts, watched, observation: before } = one;
      // How it ended stays known.
      if (one.step || before.kind === 'Exited') continue;
      const observation = observe(reading, watched);
      const hasEnded = isEnd(observation) && !isEnd(before);
      this.#replace({ ...one, observation, lagsUntil: hasEnded ? undefined : one.lagsUntil });
      const end = endOfStep({ kind: 'Attempted', attempts, watched: [watched], reading });
      if (!hasEnded || end === 'Unseen' || end === 'NotSent') continue;
      this.actions.push({ kind: 'EndSeen', container, attempts, end });
    }
  }

  #timeUp(): void {
    const { seen, stopping } = this.run;
    for (const { id } of stepsIn(this.run)) {
      this.#moveStep(id, (step) => afterTime(step, seen.last, this.#times()));
    }
    for (const one of openIn(this.run)) {
      const isOver = stopping || this.now >= (one.lagsUntil ?? Number.POSITIVE_INFINITY);
      if (isOver) this.#replace({ ...one, lagsUntil: undefined });
    }
    this.#end(endAfterTime);
  }

  #end(decide: (ending: PodEnding, context: EndContext) => EndMove): void {
    const [ending, action] = decide(this.run.ending, this.#endContext());
    this.run = { ...this.run, ending };
    if (action) this.actions.push(action);
  }

  #endContext(): EndContext {
    const { plan, seen, sidecars } = this.run;
    const { last } = seen;
    return {
      pod: plan.candidate.pod,
      seen,
      watched: sidecars.flatMap(({ watched }) => watched ?? []),
      mayStillEnd:
        plan.uncleanCost.kind !== 'Nothing' &&
        openIn(this.run).some(
          ({ attempts, watched }) => attempts.some(mayHaveWorked) && !(last && hasEnded(last, watched)),
        ),
      podEnd: podEndOf(this.run),
      ...this.#times(),
    };
  }

  #times(): StepTimes {
    return { now: this.now, cut: (time) => this.#cut(time), stopping: this.run.stopping };
  }

  /** As much of a wait as a sweep grants one pod; waits side by side count once. */
  #cut(time: Millis): Millis {
    const { options, waited, waitingSince = this.now } = this.run;
    const left = options.maxGrace - waited - (this.now - waitingSince);
    return Math.min(time, Math.max(left, shortestWait));
  }

  #replace(sidecar: SidecarRun): void {
    const { container } = sidecar;
    const sidecars = this.run.sidecars.map((one) => (one.container === container ? sidecar : one));
    this.run = { ...this.run, sidecars };
  }
}
