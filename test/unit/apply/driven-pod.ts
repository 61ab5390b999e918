import { expect } from 'vitest';
import {
  type Action,
  beginPod,
  type Fact,
  isLingering,
  next,
  type PodRun,
  type RunOptions,
  watchOf,
} from '../../../src/apply/pod-run.ts';
import type { Sent } from '../../../src/apply/send.ts';
import { methodNamed, newImageOf } from '../../../src/methods/index.ts';
import { asItIsNow, observe, type Watched } from '../../../src/model/observation.ts';
import type { AttemptResult, BlockedReason, StopReason } from '../../../src/model/outcome.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { JobReading, PodReading } from '../../../src/model/reading.ts';
import type { UncleanCost } from '../../../src/model/step.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from '../../../src/plan/sweep-plan.ts';
import { candidate, plannedTarget, podPlan, steps } from '../../builders/plan.ts';
import { exited, now, podView, podWith } from '../../builders/pod-view.ts';

/** What an unclean end may cost. */
export const costs: readonly UncleanCost[] = [
  { kind: 'AnotherRun' },
  { kind: 'Job', because: 'NoRetriesLeft' },
  { kind: 'Nothing' },
];

/** What is true of the cluster at a moment. */
interface World {
  readonly pod: PodView;
  /** What a read gives instead of the pod. */
  readonly shown?: PodReading | undefined;
  readonly stop?: StopReason;
}

export type Change = (world: World, at: number) => World;

export interface Driving extends Partial<PodPlan> {
  readonly pod?: PodView;
  /** What requests such as `term` come to, one after the other, the last one again and again. */
  readonly answers?: Readonly<Record<string, readonly AttemptResult[]>>;
  /** Which steps the gates refuse. */
  readonly refuses?: Readonly<Record<string, BlockedReason>>;
  /** What happens, and after how many milliseconds. */
  readonly after?: Readonly<Record<number, Change>>;
  readonly jobs?: readonly JobReading[];
  readonly maxGrace?: number;
  readonly begun?: RunOptions['begun'];
  readonly jitter?: number;
  /** Until when other pods are swept. */
  readonly others?: number;
}

export interface Driven {
  /** Requests, in order, each with its time: `0 term a; 5000 kill a`; `sidecar` is not named. */
  readonly log: string;
  /** Requests, in order. */
  readonly sent: readonly string[];
  /** What was reported, and how each step ended for the gates. */
  readonly reported: readonly string[];
  readonly attempts: readonly Attempt[];
  readonly ends: readonly string[];
  /** How sidecars ended after the time of their steps. */
  readonly late: readonly string[];
  readonly reads: number;
  readonly jobReads: number;
  readonly elapsed: number;
  readonly run: PodRun;
  readonly job: JobReading | undefined;
}

/** Pods are read twice a second. */
const pollPause = 500;
const pollAfter = (at: number) => (Math.floor(at / pollPause) + 1) * pollPause;

/** Sweeps one pod from its beginning to its conclusion, in simulated time. */
export function drive(driving: Driving = {}): Driven {
  const { pod = podView(), answers = {}, refuses = {}, jobs = [], ...rest } = driving;
  const { maxGrace = 3_600_000, begun = () => undefined, jitter = 0, after = {}, others = 0, ...plan } = rest;
  let world: World = { pod };
  let at = 0;
  let run = beginPod(podPlan({ candidate: candidate(pod), ...plan }), { maxGrace, begun });
  let concluded: Extract<Action, { kind: 'Conclude' }> | undefined;
  const changes = Object.entries(after).map(([time, change]) => [Number(time), change] as const);
  const timers: number[] = [];
  const [log, reported, ends]: [string[], string[], string[]] = [[], [], []];
  const late: string[] = [];
  const attempts: Attempt[] = [];
  const [open, closed, arrived] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const counted = new Map<string, number>();
  let [reads, jobReads] = [0, 0];

  const read = (): PodReading => {
    reads++;
    return world.shown ?? { kind: 'Present', pod: world.pod, asOf: now + at };
  };
  const answer = (action: Extract<Action, { kind: 'Send' }>): Fact => {
    const { id, step } = action;
    const reason = refuses[wordOf(step)];
    if (reason) return { kind: 'Blocked', id, reason };
    const sent = sendTo(world, step, action.watched, now + at, (request) => {
      const count = counted.get(request) ?? 0;
      counted.set(request, count + 1);
      log.push(`${at} ${request}`);
      const results = answers[request] ?? [];
      return results[Math.min(count, results.length - 1)] ?? { kind: 'Accepted' };
    });
    if (sent.kind === 'Attempted' && !['Busy', 'Undelivered'].includes(sent.attempt.result.kind))
      arrived.add(id);
    return { kind: 'Sent', id, sent, jitter };
  };
  const tell = (fact: Fact): void => {
    const [changed, actions] = next(run, fact, now + at);
    run = changed;
    for (const action of actions) act(action);
  };
  const act = (action: Action): void => {
    expect(concluded).toBeUndefined();
    switch (action.kind) {
      case 'Send':
        expect(closed.has(action.id)).toBe(false);
        expect(action.isAgain).toBe(arrived.has(action.id));
        if (!open.has(action.id)) expectNoFailedRequest(run, action.watched);
        open.add(action.id);
        return void queue.push(() => tell(answer(action)));
      case 'StepOver':
        expect(closed.has(action.id)).toBe(false);
        closed.add(action.id);
        return void ends.push(action.end);
      case 'EndSeen':
        return void late.push(`${action.end} ${action.container}`);
      case 'Report':
        attempts.push(action.attempt);
        return void reported.push(`${action.attempt.result.kind}${to(action.containers)}`);
      case 'Sleep':
        return void timers.push(action.until - now);
      case 'Read':
        return void queue.push(() => tell({ kind: 'Observed', reading: read() }));
      case 'ReadJob': {
        const reading = jobs[Math.min(jobReads++, jobs.length - 1)] ?? { kind: 'Gone' };
        return void queue.push(() => tell({ kind: 'JobRead', reading }));
      }
      case 'Conclude':
        concluded = action;
    }
  };
  const queue: (() => void)[] = [];
  const settle = () => {
    for (let work = queue.shift(); work; work = queue.shift()) work();
    if (!isLingering(run) || at < others) return;
    tell({ kind: 'OthersDone' });
    tell({ kind: 'Observed', reading: read() });
    settle();
  };
  const happen = () => {
    while (changes[0] && changes[0][0] <= at) {
      const before = world;
      world = changes.shift()?.[1](world, now + at) ?? world;
      if (world.stop && !before.stop) tell({ kind: 'Stop', reason: world.stop });
    }
  };

  happen();
  tell({ kind: 'Begin' });
  settle();
  for (let rounds = 0; !concluded; rounds++) {
    if (rounds > 20_000) throw new Error('it goes on for ever');
    const watch = watchOf(run);
    const poll = watch && Math.min(Math.max(pollAfter(at), watch.from - now), watch.until - now);
    const moments = [...timers, ...(poll === undefined ? [] : [poll]), ...changes.map(([time]) => time)];
    if (isLingering(run)) moments.push(others);
    if (moments.length === 0) throw new Error('it waits for ever');
    at = Math.max(at, Math.min(...moments));
    happen();
    settle();
    const isDue = timers.some((time) => time <= at);
    timers.splice(0, timers.length, ...timers.filter((time) => time > at));
    if (isDue) tell({ kind: 'TimeUp' });
    settle();
    if (!watch || poll !== at) continue;
    tell({ kind: 'Observed', reading: read() });
    settle();
    if (watch.until - now <= at) tell({ kind: 'TimeUp' });
    settle();
  }
  // Whatever went behind the gates has left them.
  for (const id of open) expect(closed.has(id)).toBe(true);
  const sent = log.map((line) => line.replace(/^\d+ /, ''));
  const { job } = concluded;
  return {
    log: log.join('; '),
    sent,
    reported,
    attempts,
    ends,
    late,
    reads,
    jobReads,
    elapsed: at,
    run,
    job,
  };
}

/** No other step follows a request that merely failed, unless the sidecar is known to have ended since. */
function expectNoFailedRequest({ sidecars }: PodRun, watched: readonly Watched[]): void {
  for (const sidecar of sidecars) {
    if (sidecar.kind !== 'Open' || sidecar.observation.kind !== 'Running') continue;
    if (!watched.some((one) => one.container === sidecar.target.container)) continue;
    const last = sidecar.attempts.at(-1)?.result;
    // Where no connection is upgraded, another way may be taken.
    if (last?.kind === 'Undelivered' && last.noUpgrade) continue;
    expect(['Busy', 'Undelivered', 'Unconfirmed', 'NotThere']).not.toContain(last?.kind);
  }
}

/** Like the re-read before sending: only what still runs in the same pod is sent to. */
function sendTo(
  { pod, shown, stop }: World,
  step: PlannedStep,
  watched: readonly Watched[],
  at: number,
  ask: (request: string) => AttemptResult,
): Sent {
  if (stop) return { kind: 'NotSent', outcome: { kind: 'NotAttempted', reason: stop } };
  const reading = shown ?? ({ kind: 'Present', pod, asOf: at } as const);
  const attempted = (result: AttemptResult, to: readonly Watched[]): Sent => ({
    kind: 'Attempted',
    attempt: { step, sentAt: at, duration: 0, result },
    watched: to,
  });
  if (reading.kind === 'Unreadable') {
    return attempted({ kind: 'Undelivered', message: reading.problem.message }, watched);
  }
  const isForAny = methodNamed(step.method).ends !== 'Container';
  const meant = isForAny ? watched.map((one) => asItIsNow(one, pod)) : watched;
  const left = meant.filter((one) => observe(reading, one).kind === 'Running');
  if (left.length === 0) return { kind: 'AlreadyEnded', reading };
  if (pod.deleting) {
    const because = [{ kind: 'BeingDeleted' }] as const;
    return { kind: 'NotSent', outcome: { kind: 'Skipped', reason: { kind: 'NoLongerCandidate', because } } };
  }
  const result = ask(`${wordOf(step)}${to(left.map((one) => one.container))}`);
  return attempted(
    result,
    left.map((one) => ({ ...one, swappedFor: newImageOf(step) })),
  );
}

function to(containers: readonly string[]): string {
  const names = containers.join('+');
  return names === 'sidecar' ? '' : ` ${names}`;
}

function wordOf(step: PlannedStep): string {
  if (step.method === 'Command') return step.command[0] ?? '';
  return step.method === 'Http' ? step.request.path.slice(1) : step.method.toLowerCase();
}

/** A step by a command of this name. */
export function ask(
  word: string,
  more: Partial<PlannedStep & { readonly method: 'Command' }> = {},
): PlannedStep {
  return { ...steps.Command, command: [word], grace: 5_000, ...more };
}

/** A step by an HTTP request, in which no exec is needed. */
export function request(word: string): PlannedStep {
  return { ...steps.Http, grace: 5_000, request: { ...steps.Http.request, path: `/${word}` } };
}

export const term = ask('term');
export const kill = ask('kill', { exitCode: 137 });
export const quit = ask('quit', { exitCode: 0 });
export const evict: PlannedStep = { ...steps.Evict, grace: 5_000 };
export const deletePod: PlannedStep = { ...steps.Delete, grace: 5_000 };
export const swap: PlannedStep = { ...steps.ImageSwap, grace: 5_000 };

/** A target that is asked by these steps. */
export function asked(own: readonly PlannedStep[], name = 'sidecar', more: Partial<PlannedTarget> = {}) {
  return plannedTarget({ container: name, containerId: `containerd://${name}-0`, steps: own, ...more });
}

/** A stuck pod with the sidecars `a` and `b`, both running. */
export function podOfTwo(more: Partial<PodView> = {}): PodView {
  return podWith(['a', 'b'], more);
}

export function changes(more: Partial<PodView>): Change {
  return (world) => ({ ...world, pod: { ...world.pod, ...more } });
}

export function changesContainer(name: string, more: Partial<ContainerView>): Change {
  return (world) => {
    const containers = world.pod.containers.map((one) => (one.name === name ? { ...one, ...more } : one));
    return { ...world, pod: { ...world.pod, containers } };
  };
}

/** The image of the sidecar is the no-op one, and this is what became of the container. */
export function swappedTo(state: Partial<ContainerView>): Change {
  return changesContainer('sidecar', { image: 'noop:1', ...state });
}

export function ends(name = 'sidecar', exitCode = 0): Change {
  return (world, at) => changesContainer(name, { state: exited(exitCode, at) })(world, at);
}

/** The kubelet starts another instance. */
export function restarts(name = 'sidecar', exitCode = 143): Change {
  const more = { id: `containerd://${name}-1`, restartCount: 1, lastExitCode: exitCode };
  return (world, at) => changesContainer(name, more)({ ...world, pod: { ...world.pod, restarts: 1 } }, at);
}

export function both(one: Change, other: Change): Change {
  return (world, at) => other(one(world, at), at);
}

/** The pod ends, and its Job counts it. */
export function finishes(phase: 'Succeeded' | 'Failed' = 'Succeeded'): Change {
  return changes({ phase, awaitsJobTracking: false });
}

export function shows(shown: PodReading | undefined): Change {
  return (world) => ({ ...world, shown });
}

export function stops(stop: StopReason = 'Deadline'): Change {
  return (world) => ({ ...world, stop });
}
