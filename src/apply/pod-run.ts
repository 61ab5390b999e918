import { mayHaveWorked } from '../methods/attempt.ts';
import { mayStillReact, type PodEnd } from '../model/job-reaction.ts';
import {
  hasEnded,
  isSettled,
  nothingSeen,
  observe,
  type Seen,
  see,
  settlingTime,
  soonestSettled,
  timeToSettle,
  type Watched,
} from '../model/observation.ts';
import type { BlockedReason, StopReason } from '../model/outcome.ts';
import { jobOf, type PodView } from '../model/pod.ts';
import type { JobReading, PodReading } from '../model/reading.ts';
import { isUnderWay } from '../plan/attempts.ts';
import { endOf } from '../plan/harm.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import { imageAfter, isFor, type PlannedStep, type PodPlan } from '../plan/sweep-plan.ts';
import type { Millis } from '../util/time.ts';
import type { StepEnd } from './gates/gate.ts';
import type { Sent } from './send.ts';
import {
  afterStep,
  beginSidecar,
  endOfStep,
  isProved,
  isSwapped,
  mayGoOn,
  mayStillRun,
  needsRefusedUpgrade,
  type OpenSidecar,
  type SidecarRun,
  unprovenUntil,
  whyNotSent,
} from './sidecar-run.ts';
import {
  afterReading,
  afterSent,
  afterTime,
  beginStep,
  blockStep,
  recallStep,
  type StepMove,
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
  readonly turn: 'Others' | 'Mesh';
  readonly sidecars: readonly SidecarRun[];
  /** The step for several sidecars that is on its way, and how many of the stage's were considered. */
  readonly shared: StepRun | undefined;
  readonly considered: number;
  readonly seen: Seen;
  readonly end: EndState;
  readonly stopping: StopReason | undefined;
  readonly nextId: number;
  /** For how long it has waited, and since when it waits now. */
  readonly waited: Millis;
  readonly waitingSince: Millis | undefined;
}

export interface RunOptions {
  /** For how long a sweep waits for one pod. */
  readonly maxGrace: Millis;
  /** When an earlier sweep sent a step whose time it did not wait for. */
  readonly begun: (step: PlannedStep, watched: Watched) => Begun | undefined;
}

interface Begun {
  readonly at: Millis;
  readonly due: Millis;
}

type Stage = 'Certain' | 'Swap' | 'Uncertain' | 'LastResort' | 'End' | 'Over';

/** From the last step to the conclusion: the pod settles, then its Job reacts, and one that failed removes the pod. */
type EndState =
  | { readonly kind: 'NotYet' }
  | { readonly kind: 'Reading'; readonly isLast: boolean; readonly hasLingered: boolean }
  /** Sidecars have outlived their steps. They may still end, and do harm by that, so they are watched until the sweep is over. */
  | { readonly kind: 'Lingering'; readonly from: Millis; readonly until: Millis; readonly isLast: boolean }
  | { readonly kind: 'Settling'; readonly from: Millis; readonly until: Millis; readonly wasRead: boolean }
  | { readonly kind: 'ReadingJob'; readonly times: number }
  | { readonly kind: 'AwaitingJob'; readonly times: number; readonly until: Millis }
  | { readonly kind: 'AwaitingRemoval'; readonly job: JobReading; readonly until: Millis };

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
  | { readonly kind: 'Read' }
  | { readonly kind: 'ReadJob' }
  /** Say that time is up at this moment. */
  | { readonly kind: 'Sleep'; readonly until: Millis }
  | { readonly kind: 'Report'; readonly containers: readonly string[]; readonly attempt: Attempt }
  | { readonly kind: 'StepOver'; readonly id: number; readonly end: StepEnd }
  /** A sidecar has ended after the time of its steps was over. */
  | {
      readonly kind: 'EndSeen';
      readonly container: string;
      readonly attempts: readonly Attempt[];
      readonly end: StepEnd;
    }
  | { readonly kind: 'Conclude'; readonly job: JobReading | undefined };

export function beginPod(plan: PodPlan, options: RunOptions): PodRun {
  return {
    plan,
    options,
    stage: 'Certain',
    turn: 'Others',
    sidecars: plan.targets.map(beginSidecar),
    shared: undefined,
    considered: 0,
    seen: nothingSeen,
    end: { kind: 'NotYet' },
    stopping: undefined,
    nextId: 0,
    waited: 0,
    waitingSince: undefined,
  };
}

/** Applies a fact: the changed run, and the actions that follow. */
export function next(before: PodRun, fact: Fact, now: Millis): readonly [PodRun, readonly Action[]] {
  const turn = new Turn(before, now);
  turn.hear(fact);
  while (turn.move() || turn.endWaits());
  const { run, actions } = turn;
  const waits = (watchOf(run) !== undefined && !isLingering(run)) || isPaused(run);
  if (waits === (run.waitingSince !== undefined)) return [run, actions];
  const counted = waits
    ? { ...run, waitingSince: now }
    : { ...run, waited: run.waited + now - (run.waitingSince ?? now), waitingSince: undefined };
  return [counted, actions];
}

/** From when until when readings of the pod are wanted; undefined if they are not. */
export function watchOf(run: PodRun): { readonly from: Millis; readonly until: Millis } | undefined {
  const { end } = run;
  if (end.kind === 'Settling' || end.kind === 'Lingering') return end;
  if (end.kind === 'AwaitingRemoval') return { from: 0, until: end.until };
  const untils = [
    ...stepsIn(run).flatMap(({ state }) => (state.kind === 'Showing' ? state.until : [])),
    ...openIn(run).flatMap(({ lagsUntil }) => lagsUntil ?? []),
  ];
  return untils.length === 0 ? undefined : { from: 0, until: Math.min(...untils) };
}

/** Whether no other pod needs to wait for it any more, and it waits for the end of the sweep. */
export function isLingering({ end }: PodRun): boolean {
  return end.kind === 'Lingering';
}

/** The instances of its sidecars that a last reading is searched for. */
function watchedIn({ sidecars }: PodRun): readonly Watched[] {
  return sidecars.flatMap(({ watched }) => watched ?? []);
}

/** How the pod ended, as far as the readings show. */
export function podEndOf(run: PodRun): PodEnd {
  const { plan, seen, sidecars } = run;
  const attempts = sidecars.flatMap((one) => one.attempts);
  return endOf(plan.candidate.pod, lastReading(run), seen, attempts);
}

/** The reading that the pod is concluded from. */
export function lastReading({ seen, plan }: PodRun): PodReading {
  return seen.last ?? { kind: 'Present', pod: plan.candidate.pod, asOf: undefined };
}

function openIn({ sidecars }: PodRun): readonly OpenSidecar[] {
  return sidecars.filter((one) => one.kind === 'Open');
}

function stepsIn(run: PodRun): readonly StepRun[] {
  const own = openIn(run).flatMap(({ step }) => step ?? []);
  return run.shared ? [run.shared, ...own] : own;
}

function isPaused(run: PodRun): boolean {
  return stepsIn(run).some(({ state }) => state.kind === 'Paused');
}

/** The last step gets this long to show its effect, and so does the phase after the last end. */
const shortestWait: Millis = 10_000;
const timesToReadJob = 5;
const timeToCount: Millis = 500;
/** Pods that linger are read so much less often that they cost next to nothing. */
const lingeringPause: Millis = 10_000;

/** One call of `next`: the run as it changes, and the actions so far. */
class Turn {
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
        if (fact.sent.kind === 'AlreadyEnded') this.#see(fact.sent.reading);
        this.#moveStep(fact.id, (step) => afterSent(step, fact.sent, fact.jitter, this.#times()));
        return;
      case 'Blocked':
        this.#moveStep(fact.id, (step) => blockStep(step, fact.reason, this.now));
        return;
      case 'Observed':
        this.#observed(fact.reading);
        return;
      case 'JobRead':
        this.#jobRead(fact.reading);
        return;
      case 'TimeUp':
        this.#timeUp();
        return;
      case 'OthersDone':
        if (this.run.end.kind === 'Lingering') this.#linger(true);
        return;
      case 'Stop':
        this.run = { ...this.run, stopping: this.run.stopping ?? fact.reason };
        this.#timeUp();
    }
  }

  /** Does the next thing that can be done without waiting; false if there is none. */
  move(): boolean {
    const { stage, shared, turn } = this.run;
    const open = openIn(this.run);
    switch (stage) {
      case 'Certain':
      case 'Uncertain': {
        const own = open.filter(({ target }) => target.isMesh === (turn === 'Mesh'));
        const ready = own.find((one) => !one.isDone && !one.step && one.lagsUntil === undefined);
        if (ready) return this.#advance(ready);
        if (open.some((one) => one.step || one.lagsUntil !== undefined)) return false;
        const othersRun = open.some((one) => mayStillRun(one) && !one.target.isMesh);
        if (turn === 'Others' && !othersRun) this.run = { ...this.run, turn: 'Mesh' };
        else this.#enter(stage === 'Certain' ? 'Swap' : 'LastResort');
        return true;
      }
      case 'Swap':
      case 'LastResort':
        if (shared || open.some((one) => one.lagsUntil !== undefined)) return false;
        if (!this.#takeShared()) this.#enter(stage === 'Swap' ? 'Uncertain' : 'End');
        return true;
      case 'End':
        this.#settle();
        return false;
      case 'Over':
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
    this.run = { ...this.run, stage, turn: 'Others', considered: 0 };
    for (const one of openIn(this.run)) this.#replace({ ...one, isDone: false });
  }

  /** Takes a sidecar's next own step, or finds out whether it still runs after the last. */
  #advance(sidecar: OpenSidecar): true {
    const steps = this.#stepsOf(sidecar);
    const canGoOn = sidecar.observation.kind === 'Running' && !isSwapped(sidecar) && mayGoOn(sidecar);
    const step = canGoOn ? steps[sidecar.considered] : undefined;
    if (!step) {
      this.#prove({ ...sidecar, considered: steps.length, isDone: true });
      return true;
    }
    const considered = { ...sidecar, considered: sidecar.considered + 1 };
    this.#replace(considered);
    if (needsRefusedUpgrade(step, sidecar)) return true;
    this.#begin(step, [considered]);
    return true;
  }

  /** A mesh proxy that has waited for the others so far has all of its steps left. */
  #stepsOf({ target }: OpenSidecar): readonly PlannedStep[] {
    return this.run.stage === 'Certain' ? target.steps : [...target.steps, ...target.uncertain];
  }

  /** Takes the next step for all sidecars that are left, by one request; false if there is none, or none may be taken. */
  #takeShared(): boolean {
    const { plan, considered, stage } = this.run;
    const steps = stage === 'Swap' ? (plan.swap ? [plan.swap] : []) : plan.lastResort;
    const step = steps[considered];
    const left = openIn(this.run).filter(mayStillRun);
    // A step for the pod would end those that could not be asked, too.
    if (!step || !left.every((one) => mayGoOn(one) && isProved(one, this.now))) return false;
    this.run = { ...this.run, considered: considered + 1 };
    const meant = left.filter(({ target }) => isFor(step, target.container, plan));
    if (meant.length > 0) this.#begin(step, meant);
    return true;
  }

  #begin(step: PlannedStep, sidecars: readonly OpenSidecar[]): void {
    const watched = sidecars.map((one) => one.watched);
    const run = beginStep(this.run.nextId, step, watched, this.#times());
    this.run = { ...this.run, nextId: run.id + 1 };
    const [only] = sidecars;
    const isShared = this.run.stage === 'Swap' || this.run.stage === 'LastResort';
    if (isShared) this.run = { ...this.run, shared: run };
    else if (only) this.#replace({ ...only, step: run });
    const blocked = whyNotSent(step, sidecars);
    if (blocked) {
      this.#moveStep(run.id, (it) => blockStep(it, blocked, this.now));
      return;
    }
    const begun = watched.flatMap((one) => this.run.options.begun(step, one) ?? []);
    if (begun.length === watched.length) {
      const at = Math.min(...begun.map((one) => one.at));
      const due = Math.max(...begun.map((one) => one.due));
      const swapped = watched.map((one) => ({
        ...one,
        swappedFor: imageAfter(step, one.container, this.run.plan) ?? one.swappedFor,
      }));
      this.#moveStep(run.id, (it) => recallStep({ ...it, watched: swapped }, { at, due }, this.#times()));
      return;
    }
    this.actions.push({ kind: 'Send', id: run.id, step, watched, isAgain: false });
  }

  /** Carries out what a step does next, wherever it is kept. */
  #moveStep(id: number, decide: (step: StepRun) => StepMove): void {
    const step = stepsIn(this.run).find((one) => one.id === id);
    if (!step) return;
    const move = decide(step);
    if (move.kind !== 'Sends' && move.reports) {
      const containers = (move.kind === 'Waits' ? move.run : step).watched.map(({ container }) => container);
      this.actions.push({ kind: 'Report', containers, attempt: move.reports });
    }
    if (move.kind !== 'Done') this.#keep(move.run);
    if (move.kind === 'Waits' && move.run.state.kind === 'Paused') {
      this.actions.push({ kind: 'Sleep', until: move.run.state.until });
    }
    if (move.kind === 'Sends') {
      const { watched } = move.run;
      this.actions.push({ kind: 'Send', id, step: step.step, watched, isAgain: move.isAgain });
    }
    if (move.kind === 'Done') this.#stepDone(step, move);
  }

  #stepDone(step: StepRun, { result }: Extract<StepMove, { readonly kind: 'Done' }>): void {
    this.actions.push({ kind: 'StepOver', id: step.id, end: endOfStep(result) });
    if (this.run.shared?.id !== step.id) {
      for (const one of openIn(this.run)) if (one.step?.id === step.id) this.#replace(afterStep(one, result));
      return;
    }
    const meant = step.watched.map(({ container }) => container);
    // After a step that was not sent, no other one for the pod is.
    const considered = result.kind === 'Attempted' ? this.run.considered : Number.POSITIVE_INFINITY;
    this.run = { ...this.run, shared: undefined, considered };
    for (const one of openIn(this.run)) {
      if (!meant.includes(one.target.container)) continue;
      const isUntouched = result.kind === 'NotSent' && one.attempts.length > 0;
      this.#replace(isUntouched ? one : afterStep(one, result));
    }
    for (const one of openIn(this.run)) this.#prove(one);
  }

  /**
   * Watches a sidecar that seems to have outlived its steps until its status cannot lag behind its end any more: until then, nothing
   * harsher may follow, and a promise may still be broken.
   */
  #prove(sidecar: OpenSidecar): void {
    if (isProved(sidecar, this.now) || isUnderWay(sidecar.attempts) || this.run.stopping) {
      this.#replace({ ...sidecar, lagsUntil: undefined });
      return;
    }
    const lagsUntil = this.now + this.#cut(unprovenUntil(sidecar) - this.now);
    this.#replace({ ...sidecar, lagsUntil });
  }

  #see(reading: PodReading): void {
    const { plan, seen } = this.run;
    // A failed read shows nothing new, and an end that was seen stays true.
    const isKept = reading.kind === 'Unreadable' && seen.last !== undefined && !this.#isFirstAfterAll();
    if (!isKept) this.run = { ...this.run, seen: see(seen, plan.candidate, reading) };
  }

  #observed(reading: PodReading): void {
    const { end, seen } = this.run;
    const isAfterAll = end.kind === 'Lingering' || end.kind === 'Reading';
    const hadEnded = (one: OpenSidecar) => seen.last !== undefined && hasEnded(seen.last, one.watched);
    this.#see(reading);
    for (const { id } of stepsIn(this.run)) this.#moveStep(id, (step) => afterReading(step, reading));
    for (const one of openIn(this.run)) {
      if (!hasEnded(reading, one.watched)) continue;
      if (one.lagsUntil === undefined && (!isAfterAll || hadEnded(one))) continue;
      this.#replace({ ...one, lagsUntil: undefined, observation: observe(reading, one.watched) });
      const { attempts, watched, target } = one;
      const late = endOfStep({ kind: 'Attempted', attempts, watched: [watched], reading });
      if (late === 'Unseen' || late === 'NotSent') continue;
      this.actions.push({ kind: 'EndSeen', container: target.container, attempts, end: late });
    }
    switch (end.kind) {
      case 'Reading':
        if (end.isLast || isSettled(reading, watchedIn(this.run))) this.#settled();
        else this.#awaitSettling();
        return;
      case 'Lingering':
        if (this.#mayStillEnd()) {
          if (end.isLast) this.#settled();
          else this.#linger(false);
        } else if (isSettled(reading, watchedIn(this.run))) this.#settled();
        else this.#awaitSettling();
        return;
      case 'Settling':
        if (isSettled(reading, watchedIn(this.run))) this.#settled();
        else if (reading.kind !== 'Unreadable') this.run = { ...this.run, end: { ...end, wasRead: true } };
        return;
      case 'AwaitingRemoval':
        if (reading.kind === 'Gone' || reading.kind === 'Replaced') this.#conclude(end.job);
        return;
      case 'NotYet':
      case 'ReadingJob':
      case 'AwaitingJob':
        return;
    }
  }

  /** Whether a reading that fails must be reported, because none has shown that all sidecars have ended. */
  #isFirstAfterAll(): boolean {
    const { end, seen } = this.run;
    const { last } = seen;
    const isAfterAll =
      (end.kind === 'Reading' && !end.hasLingered) || (end.kind === 'Lingering' && end.isLast);
    return isAfterAll && !(last && watchedIn(this.run).every((one) => hasEnded(last, one)));
  }

  #timeUp(): void {
    const { end, seen, stopping } = this.run;
    const isOver = (until: Millis) => stopping !== undefined || this.now >= until;
    for (const { id } of stepsIn(this.run)) {
      this.#moveStep(id, (step) => afterTime(step, seen.last, this.#times()));
    }
    for (const one of openIn(this.run)) {
      if (one.lagsUntil === undefined || !isOver(one.lagsUntil)) continue;
      const observation = seen.last ? observe(seen.last, one.watched) : one.observation;
      this.#replace({ ...one, lagsUntil: undefined, observation });
    }
    if (end.kind === 'Lingering' && isOver(end.until)) {
      if (stopping) this.#read(true, true);
      else this.#settled();
    }
    if (end.kind === 'Settling' && isOver(end.until)) {
      if (end.wasRead) this.#settled();
      else this.#read(true);
    }
    if (end.kind === 'AwaitingJob' && isOver(end.until)) this.#readJob(end.times);
    if (end.kind === 'AwaitingRemoval' && isOver(end.until)) this.#conclude(end.job);
  }

  /** No step is left: what became of the pod is read, unless that was seen already. */
  #settle(): void {
    if (this.run.end.kind !== 'NotYet') return;
    const watched = watchedIn(this.run);
    const { last } = this.run.seen;
    const areEnded = last !== undefined && watched.every((one) => hasEnded(last, one));
    if (watched.length === 0) this.#settled();
    else if (!areEnded && this.#mayStillEnd() && !this.run.stopping) this.#linger(false);
    else if (!areEnded) this.#read(false);
    else if (isSettled(last, watched)) this.#settled();
    else this.#awaitSettling();
  }

  /** Whether a step that a sidecar has outlived may yet end it, and harm the work of the pod by that. */
  #mayStillEnd(): boolean {
    const { plan, seen } = this.run;
    const { last } = seen;
    if (plan.uncleanCost.kind === 'Nothing') return false;
    return openIn(this.run).some(
      ({ attempts, watched }) => attempts.some(mayHaveWorked) && !(last && hasEnded(last, watched)),
    );
  }

  #linger(isLast: boolean): void {
    const [from, until] = isLast
      ? [this.now, this.now + timeToSettle]
      : [this.now + lingeringPause, Number.POSITIVE_INFINITY];
    this.run = { ...this.run, end: { kind: 'Lingering', from, until, isLast } };
  }

  #awaitSettling(): void {
    const { seen, plan } = this.run;
    const from = this.now + (soonestSettled(seen.last) ?? 0);
    const until = this.now + this.#cut(settlingTime(plan.candidate.pod));
    this.run = { ...this.run, end: { kind: 'Settling', from, until, wasRead: false } };
  }

  #read(isLast: boolean, hasLingered = false): void {
    this.run = { ...this.run, end: { kind: 'Reading', isLast, hasLingered } };
    this.actions.push({ kind: 'Read' });
  }

  #settled(): void {
    const { plan, seen } = this.run;
    const isGone = seen.last?.kind === 'Gone';
    const isWanted = isGone || podEndOf(this.run) !== 'Unknown' || seen.hasEndedUnclean;
    if (isWanted && jobOf(plan.candidate.pod)) this.#readJob(0);
    else this.#conclude(undefined);
  }

  #readJob(times: number): void {
    this.run = { ...this.run, end: { kind: 'ReadingJob', times } };
    this.actions.push({ kind: 'ReadJob' });
  }

  #jobRead(job: JobReading): void {
    const { end, stopping, plan } = this.run;
    if (end.kind !== 'ReadingJob') return;
    const podEnd = podEndOf(this.run);
    if (!stopping && end.times < timesToReadJob && mayStillReact(job, plan.candidate.pod, podEnd)) {
      const until = this.now + timeToCount;
      this.run = { ...this.run, end: { kind: 'AwaitingJob', times: end.times + 1, until } };
      this.actions.push({ kind: 'Sleep', until });
      return;
    }
    const hasFailed = job.kind === 'Present' && !job.job.complete && job.job.failed !== undefined;
    if (stopping || podEnd !== 'Restarted' || !hasFailed) {
      this.#conclude(job);
      return;
    }
    const until = this.now + this.#cut(timeToSettle);
    this.run = { ...this.run, end: { kind: 'AwaitingRemoval', job, until } };
  }

  #conclude(job: JobReading | undefined): void {
    this.run = { ...this.run, stage: 'Over', end: { kind: 'NotYet' } };
    this.actions.push({ kind: 'Conclude', job });
  }

  #times(): StepTimes {
    return { now: this.now, cut: (time) => this.#cut(time), stopping: this.run.stopping };
  }

  /** As much of a wait as a sweep grants one pod; waits side by side count once. */
  #cut(time: Millis): Millis {
    const { options, waited, waitingSince } = this.run;
    const left = options.maxGrace - waited - (waitingSince === undefined ? 0 : this.now - waitingSince);
    return Math.min(time, Math.max(left, shortestWait));
  }

  #replace(sidecar: SidecarRun): void {
    const name = nameOf(sidecar);
    const sidecars = this.run.sidecars.map((one) => (nameOf(one) === name ? sidecar : one));
    this.run = { ...this.run, sidecars };
  }

  #keep(step: StepRun): void {
    if (this.run.shared?.id === step.id) {
      this.run = { ...this.run, shared: step };
      return;
    }
    for (const one of openIn(this.run)) if (one.step?.id === step.id) this.#replace({ ...one, step });
  }
}

function nameOf(sidecar: SidecarRun): string {
  return sidecar.kind === 'Open' ? sidecar.target.container : sidecar.container;
}

/** The pod of a reading, or as it was planned. */
export function podIn(run: PodRun): PodView {
  const reading = lastReading(run);
  return reading.kind === 'Present' ? reading.pod : run.plan.candidate.pod;
}
