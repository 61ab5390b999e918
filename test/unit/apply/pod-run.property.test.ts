import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FuseGate } from '../../../src/apply/gates/fuse.ts';
import { askAll, type Gate, type SendRequest } from '../../../src/apply/gates/gate.ts';
import { JobBudgetGate } from '../../../src/apply/gates/job-budget.ts';
import { NodeLimitGate } from '../../../src/apply/gates/node-limit.ts';
import { requestForStep } from '../../../src/apply/gates/request.ts';
import {
  type Action,
  beginPod,
  type Fact,
  isLingering,
  next,
  type PodRun,
  watchOf,
} from '../../../src/apply/pod-run.ts';
import type { Sent } from '../../../src/apply/send.ts';
import type { JobCounts } from '../../../src/facts/jobs.ts';
import { newImageOf } from '../../../src/methods/index.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import { type ContainerState, jobKey, jobOf, type PodView } from '../../../src/model/pod.ts';
import type { JobReading, PodReading } from '../../../src/model/reading.ts';
import type { UncleanCost } from '../../../src/model/step.ts';
import { promiseOf } from '../../../src/plan/promises.ts';
import type { PlannedStep, PodPlan } from '../../../src/plan/sweep-plan.ts';
import { jobView } from '../../builders/job.ts';
import { attemptResults, candidate, podPlan } from '../../builders/plan.ts';
import { container, exited, now, podView, running, waiting } from '../../builders/pod-view.ts';
import { ask, asked, deletePod, evict, kill, quit, request, swap, term } from './driven-pod.ts';

type Send = Extract<Action, { readonly kind: 'Send' }>;

const ladders: readonly (readonly PlannedStep[])[] = [
  [quit, term, kill],
  [term, kill],
  [request('quit'), quit],
  [{ ...term, blocked: 'KnownUnclean' }, kill],
  [ask('slow', { grace: 3_600_000, exitCode: 0 }), kill],
  [],
];
const costs: readonly UncleanCost[] = [
  { kind: 'AnotherRun' },
  { kind: 'Job', because: 'NoRetriesLeft' },
  { kind: 'Nothing' },
];

/** A pod with the sidecars `a` and `b`, of a Job with room for a few failures. */
const plans: fc.Arbitrary<PodPlan> = fc
  .record({
    uid: fc.uuid(),
    job: fc.constantFrom('one', 'two', undefined),
    restartPolicy: fc.constantFrom('Never', 'OnFailure'),
    a: fc.constantFrom(...ladders),
    b: fc.constantFrom(...ladders),
    uncertain: fc.constantFrom([], [term]),
    turn: fc.constantFrom(0, 1, 2),
    swap: fc.constantFrom(undefined, swap, { ...swap, exitCode: 0 }),
    lastResort: fc.constantFrom([], [evict, deletePod], [swap], [swap, evict]),
    swappable: fc.constantFrom([{ container: 'a' }, { container: 'b' }], [{ container: 'a' }]),
    uncleanCost: fc.constantFrom(...costs),
  })
  .map(({ uid, job, restartPolicy, a, b, uncertain, turn, ...more }) => {
    const pod = podView({
      ref: { namespace: 'demo', name: uid, uid },
      owner: job === undefined ? undefined : { group: 'batch', kind: 'Job', name: job, uid: job },
      restartPolicy,
      annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
      containers: [container('main', exited()), container('a', running), container('b', running)],
    });
    const targets = [asked(a, 'a', { uncertain }), asked(b, 'b', { uncertain, turn })];
    return podPlan({ candidate: candidate(pod), targets, ...more });
  });

const states: readonly Partial<{ state: ContainerState; id: string; image: string; restartCount: number }>[] =
  [
    { state: running },
    { state: exited(0) },
    { state: exited(143) },
    { state: exited(137) },
    { state: running, id: 'containerd://again', restartCount: 1 },
    { state: waiting('ErrImagePull'), image: 'noop:1' },
    { state: exited(0), id: 'containerd://noop', image: 'noop:1' },
  ];
const results: readonly AttemptResult[] = Object.values(attemptResults).filter(
  ({ kind }) => kind !== 'Blocked',
);

/** Draws from numbers, and then always the first. */
class Draw {
  constructor(private readonly numbers: number[]) {}

  get isOver(): boolean {
    return this.numbers.length === 0;
  }

  of<T>(items: readonly T[]): T {
    return items[(this.numbers.shift() ?? 0) % items.length] as T;
  }

  reading(pod: PodView): PodReading {
    const others = [
      { kind: 'Gone' },
      { kind: 'Replaced', uid: 'u' },
      { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } },
    ] as const;
    if (this.of([0, 1, 2, 3, 4, 5]) === 5) return this.of(others);
    const containers = pod.containers.map((one) =>
      one.name === 'main' ? one : { ...one, ...this.of(states) },
    );
    const more = this.of([
      {},
      {},
      { phase: 'Succeeded' },
      { phase: 'Failed', awaitsJobTracking: false },
      { deleting: true },
      { restarts: 1 },
    ]);
    return { kind: 'Present', pod: { ...pod, containers, ...more }, asOf: now };
  }

  sent({ step, watched }: Send, pod: PodView, at: number): Sent {
    switch (this.of(['Attempted', 'Attempted', 'Attempted', 'AlreadyEnded', 'NotSent'] as const)) {
      case 'Attempted': {
        const attempt = { step, sentAt: at, duration: 0, result: this.of(results) };
        return {
          kind: 'Attempted',
          attempt,
          watched: watched.map((one) => ({ ...one, swappedFor: newImageOf(step) })),
        };
      }
      case 'AlreadyEnded':
        return { kind: 'AlreadyEnded', reading: this.reading(pod) };
      case 'NotSent':
        return { kind: 'NotSent', outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } } };
    }
  }
}

interface InFlight {
  readonly send: Send;
  readonly request: SendRequest;
}

/** Pods behind the real gates. Checks at each action what must always be true. */
class Sweep {
  at = now;
  /** From then on, pods are not polled any more, and nothing is sent. */
  isStopped = false;
  readonly fuse = new FuseGate(() => undefined);
  readonly gates: readonly Gate[] = [this.fuse, new JobBudgetGate(), new NodeLimitGate()];
  readonly pods: Pod[];
  readonly waiting: InFlight[] = [];
  /** Requests behind each promise, and how many may end unclean once the first has. */
  readonly behind = new Map<string, Set<string>>();
  readonly allowed = new Map<string, number>();
  readonly unclean = new Map<string, number>();

  constructor(all: readonly PodPlan[]) {
    this.pods = all.map((plan) => new Pod(plan, this));
    for (const { whole } of this.pods) this.fuse.expect(whole);
    for (const pod of this.pods) pod.tell({ kind: 'Begin' });
  }

  settle(request: SendRequest, settled: Parameters<Gate['settle']>[1]): void {
    for (const gate of this.gates) gate.settle(request, settled, this.at);
    if (settled.kind !== 'Over') return;
    for (const promise of request.promises) {
      const behind = this.behind.get(promise) ?? new Set();
      if (settled.end === 'Unclean') {
        if (!this.allowed.has(promise)) this.allowed.set(promise, behind.size);
        this.unclean.set(promise, (this.unclean.get(promise) ?? 0) + 1);
        expect(this.unclean.get(promise)).toBeLessThanOrEqual(this.allowed.get(promise) ?? 0);
      }
      behind.delete(request.id);
    }
  }

  ask({ send, request }: InFlight): void {
    if (this.isStopped) {
      const pod = this.pods.find(({ plan }) => plan.candidate.pod.ref.uid === request.pod.ref.uid);
      return void pod?.asks.push(() =>
        pod.answer(send, { kind: 'NotSent', outcome: { kind: 'NotAttempted', reason: 'Deadline' } }),
      );
    }
    const reading = { kind: 'Present', job: jobView({ backoffLimit: 3 }) } as const;
    const uids = this.pods.map(({ plan }) => [plan.candidate.pod.ref.uid, 0] as const);
    const counts: JobCounts = { at: this.at, reading, restarts: new Map(uids) };
    const pod = this.pods.find(({ plan }) => plan.candidate.pod.ref.uid === request.pod.ref.uid);
    const answer = askAll(this.gates, request, counts, this.at);
    switch (answer.kind) {
      case 'Open':
        for (const promise of request.promises) {
          expect(this.allowed.has(promise)).toBe(false);
          this.behind.set(promise, (this.behind.get(promise) ?? new Set()).add(request.id));
        }
        return void pod?.inFlight.push({ send, request });
      case 'Wait':
        return void this.waiting.push({ send, request });
      case 'NodeLost':
        return void pod?.answer(send, {
          kind: 'NotSent',
          outcome: { kind: 'NotAttempted', reason: 'NodeUnreachable' },
        });
      case 'Never':
        return void pod?.tell({ kind: 'Blocked', id: send.id, reason: answer.reason });
      case 'Stale':
        throw new Error('it was read just now');
    }
  }

  /** All that wait are asked for again; their order is the scheduler's. */
  reopen(): void {
    for (const one of this.waiting.splice(0)) this.ask(one);
  }

  stop(): void {
    this.isStopped = true;
    for (const pod of this.pods) pod.tell({ kind: 'Stop', reason: 'Deadline' });
    const outcome = { kind: 'NotAttempted', reason: 'Deadline' } as const;
    for (const { send, request } of this.waiting.splice(0)) {
      this.pods.find(({ whole }) => whole.pod === request.pod)?.answer(send, { kind: 'NotSent', outcome });
    }
  }
}

class Pod {
  run: PodRun;
  isConcluded = false;
  readonly inFlight: InFlight[] = [];
  readonly reserved = new Map<number, SendRequest>();
  readonly steps = new Map<number, 'open' | 'over'>();
  readonly asks: (() => void)[] = [];
  readonly timers: number[] = [];

  constructor(
    readonly plan: PodPlan,
    private readonly sweep: Sweep,
  ) {
    this.run = beginPod(plan, { maxGrace: 60_000, begun: () => undefined });
  }

  get whole(): SendRequest {
    const { candidate: of, uncleanCost, targets } = this.plan;
    const own = targets.flatMap((target) =>
      target.kind === 'Planned' ? [...target.steps, ...target.uncertain] : [],
    );
    const steps = [...own, ...(this.plan.swap ? [this.plan.swap] : []), ...this.plan.lastResort];
    const promises = steps.flatMap((step) => promiseOf(this.plan, ['a', 'b'], step, 'forbid'));
    const { pod } = of;
    const rest = { cost: uncleanCost.kind, restarts: 0, mayFailJob: false, node: 'n' };
    const owner = jobOf(pod);
    return {
      id: pod.ref.uid,
      pod,
      job: owner && jobKey(pod.ref.namespace, owner),
      promises: [...new Set(promises)],
      ...rest,
    };
  }

  tell(fact: Fact): void {
    const [run, actions] = next(this.run, fact, this.sweep.at);
    const hasLingered = isLingering(this.run);
    this.run = run;
    for (const action of actions) this.act(action);
    // Other pods do not wait for it.
    if (isLingering(run) && !hasLingered) this.sweep.settle(this.whole, { kind: 'Left', phase: 'Open' });
  }

  act(action: Action): void {
    // Nothing is done after it was concluded.
    expect(this.isConcluded).toBe(false);
    switch (action.kind) {
      case 'Send':
        return void this.send(action);
      case 'StepOver': {
        expect(this.steps.get(action.id)).not.toBe('over');
        this.steps.set(action.id, 'over');
        const request = this.reserved.get(action.id);
        this.reserved.delete(action.id);
        if (request) this.sweep.settle(request, { kind: 'Over', end: action.end });
        return;
      }
      case 'Conclude':
        this.isConcluded = true;
        this.sweep.settle(this.whole, { kind: 'Left', phase: 'Open' });
        return;
      case 'Sleep':
        return void this.timers.push(action.until);
      case 'Read':
      case 'ReadJob':
        return void this.asks.push(() => this.hear(action));
      case 'Report':
    }
  }

  send(send: Send): void {
    expect(this.steps.get(send.id)).not.toBe('over');
    if (!this.steps.has(send.id)) this.expectNoFailedRequest(send);
    this.steps.set(send.id, 'open');
    const { promises, restarts } = requestForStep(this.plan, send, { uncleanExit: 'forbid', keepLogs: 0 });
    const id = `${this.whole.id}/${send.id}`;
    this.sweep.ask({ send, request: { ...this.whole, id, promises, restarts } });
  }

  /** No other step follows a request that merely failed, unless the sidecar is known to have ended since. */
  expectNoFailedRequest({ watched }: Send): void {
    for (const sidecar of this.run.sidecars) {
      if (sidecar.kind !== 'Open' || sidecar.observation.kind !== 'Running') continue;
      if (!watched.some((one) => one.container === sidecar.target.container)) continue;
      const last = sidecar.attempts.at(-1)?.result.kind;
      expect(['Busy', 'Undelivered', 'Unconfirmed', 'NotThere']).not.toContain(last);
    }
  }

  answer(send: Send, sent: Sent): void {
    this.tell({ kind: 'Sent', id: send.id, sent, jitter: 0 });
  }

  draw?: Draw;

  hear(action: Action): void {
    const draw = this.draw ?? new Draw([]);
    const { pod } = this.plan.candidate;
    if (action.kind === 'Read') this.tell({ kind: 'Observed', reading: draw.reading(pod) });
    const jobs: readonly JobReading[] = [
      { kind: 'Present', job: jobView() },
      { kind: 'Present', job: jobView({ failed: 'BackoffLimitExceeded' }) },
      { kind: 'Gone' },
    ];
    if (action.kind === 'ReadJob') this.tell({ kind: 'JobRead', reading: draw.of(jobs) });
  }

  /** What may happen next. */
  events(draw: Draw): readonly (() => void)[] {
    if (this.isConcluded) return [];
    this.draw = draw;
    const { sweep } = this;
    const later = (until: number) => () => {
      sweep.at = Math.max(sweep.at, until);
      this.tell({ kind: 'TimeUp' });
    };
    const sent = this.inFlight.map((one, index) => () => {
      this.inFlight.splice(index, 1);
      const { send, request } = one;
      const answer = draw.sent(send, request.pod, sweep.at);
      sweep.settle(request, { kind: 'Answered', reached: draw.of([true, true, false, undefined]) });
      const isMissed =
        answer.kind !== 'Attempted' || ['Busy', 'Undelivered'].includes(answer.attempt.result.kind);
      if (isMissed && !send.isAgain) sweep.settle(request, { kind: 'Over', end: 'NotSent' });
      else if (!send.isAgain) this.reserved.set(send.id, request);
      this.answer(send, answer);
    });
    const asks = this.asks.map((_, index) => () => this.asks.splice(index, 1)[0]?.());
    const timers = this.timers.map((until, index) => () => {
      this.timers.splice(index, 1);
      later(until)();
    });
    const watch = sweep.isStopped ? undefined : watchOf(this.run);
    const observe = () => this.tell({ kind: 'Observed', reading: draw.reading(this.plan.candidate.pod) });
    const othersDone = () => this.tell({ kind: 'OthersDone' });
    const isOpen = watch !== undefined && watch.until === Number.POSITIVE_INFINITY;
    const ends = watch ? [isOpen ? othersDone : later(watch.until), observe] : [];
    return [...sent, ...asks, ...timers, ...ends];
  }
}

it('whatever happens, every pod is concluded, nothing is sent twice or too late, and no gate stays reserved', () => {
  const many = fc.array(plans, { minLength: 1, maxLength: 8 });
  const numbers = fc.array(fc.nat(999), { maxLength: 400 });
  fc.assert(
    fc.property(many, numbers, fc.boolean(), (all, drawn, stops) => {
      const sweep = new Sweep(all);
      const draw = new Draw([...drawn]);
      for (let turns = 0; ; turns++) {
        if (draw.isOver && stops && !sweep.isStopped) sweep.stop();
        const events = sweep.pods.flatMap((pod) => pod.events(draw));
        if (events.length === 0) break;
        if (turns > 20_000) throw new Error('it goes on for ever');
        draw.of(events)();
        sweep.reopen();
      }
      for (const pod of sweep.pods) {
        expect(pod.isConcluded).toBe(true);
        expect([...pod.steps.values()]).not.toContain('open');
      }
      expect(sweep.waiting).toEqual([]);
      // Whatever is asked for now does not wait.
      for (const { whole } of sweep.pods) {
        for (const gate of sweep.gates) {
          const restarts = new Map([[whole.pod.ref.uid, 0]]);
          const reading = { kind: 'Present', job: jobView({ backoffLimit: 9 }) } as const;
          const counts = { at: sweep.at, reading, restarts };
          expect(gate.ask({ ...whole, restarts: 1 }, counts, sweep.at).kind).not.toBe('Wait');
        }
      }
    }),
    { numRuns: 300 },
  );
});
