import { type JobCounts, readCounts } from '../facts/job-facts.ts';
import { jobOf, type PodRef } from '../model/pod.ts';
import type { LimitRaise, WriteResult } from '../model/ports.ts';
import { describeFault, faultOf } from '../model/reading.ts';
import type { PodConclusion } from '../plan/sweep-event.ts';
import type { PodPlan } from '../plan/sweep-plan.ts';
import { concludeUnread, type Reported } from '../plan/unsent.ts';
import { onAbort, type Slots } from '../util/concurrency.ts';
import type { Random } from '../util/retry.ts';
import type { Millis } from '../util/time.ts';
import { concludeRun, warningOf } from './conclusion.ts';
import { byLoss, type FuseGate } from './gates/fuse.ts';
import { askAll, type Gate, type SendRequest, type Settled } from './gates/gate.ts';
import { nodeKey } from './gates/node-limit.ts';
import { requestForEnd, requestForPod, requestForStep } from './gates/request.ts';
import {
  type Action,
  beginPod,
  type Fact,
  isLingering,
  next,
  type PodRun,
  podIn,
  type RunOptions,
  watchOf,
} from './pod-run.ts';
import { Poller } from './poller.ts';
import { notSent, recheckAndSend, type SendContext, type Sent, stopReason, watchReach } from './send.ts';

export interface SchedulerOptions extends SendContext {
  readonly gates: readonly Gate[];
  readonly fuse: FuseGate;
  readonly slots: Slots;
  /** The number of slots; as many requests again may wait for silent nodes without a slot. */
  readonly concurrency: number;
  readonly random: Random;
  readonly listed: number;
  readonly runOptions: RunOptions;
  readonly onConcluded: (run: PodRun, conclusion: PodConclusion) => void;
}

/** The run of a pod, and the steps already reported, for its conclusion if an error ends the run. */
interface Entry {
  run: PodRun;
  reported: readonly Reported[];
  /** Whether something was sent to the pod, so that other pods may wait for its end. */
  hasBegun: boolean;
}

type Send = Extract<Action, { readonly kind: 'Send' }>;

interface Waiting {
  readonly entry: Entry;
  readonly send: Send;
  readonly request: SendRequest;
  /** The key that the request waited for until it was asked again. */
  readonly awaited?: string;
}

/** The gates' decision about a request, given the current state of its Job. */
type Decision = 'Open' | 'Waits' | Fact;

/** How often one request may try to raise the limit: another client may keep changing the Job. */
const mostRaises = 4;

/** Reads of a Job in a row that took too long, or were outdated by steps for other pods of the Job. */
const mostStale = 4;

/** A request that takes longer gives its slot back. In measurements, a busy kubelet answered within 1.2 s. */
const timeInSlot: Millis = 3_000;

/** Asks the gates, sends steps, polls, and passes each fact to the pod's state machine (`pod-run.ts`). */
export class Scheduler {
  readonly #entries = new Map<string, Entry>();
  /** Requests that a gate keeps waiting, by the key that they wait for, in the order of the plan. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Requests for which the gates have reserved something, by id. */
  readonly #reserved = new Map<string, SendRequest>();
  /** Pods that merely wait for the others. */
  readonly #lingering = new Set<string>();
  readonly #poller: Poller;
  #silent = 0;
  #hasBegun = false;
  #finish: () => void = () => undefined;

  constructor(private readonly options: SchedulerOptions) {
    this.#poller = new Poller({
      ...options,
      scope: options.policy.scope,
      hear: ({ uid }, reading) => this.#tell(uid, { kind: 'Observed', reading }),
      onRound: () => this.#endWaits(),
    });
  }

  /** Sweeps these pods, and empties the array as they begin; resolves when all are concluded. */
  async run(pods: PodPlan[]): Promise<void> {
    this.#hasBegun = false;
    const all = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    const removeStop = onAbort(this.options.stop, () => this.#stop());
    pods.sort(byLoss).reverse();
    for (let plan = pods.pop(); plan; plan = pods.pop()) this.#begin(plan);
    this.#hasBegun = true;
    this.#finishLingering();
    if (this.#entries.size > 0) await all;
    removeStop();
  }

  #begin(plan: PodPlan): void {
    const { runOptions, stop } = this.options;
    const run = beginPod(plan, runOptions);
    const { uid } = plan.candidate.pod.ref;
    this.#entries.set(uid, { run, reported: [], hasBegun: false });
    this.#tell(uid, stop.aborted ? { kind: 'Stop', reason: stopReason(stop) } : { kind: 'Begin' });
  }

  #stop(): void {
    const reason = stopReason(this.options.stop);
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const uid of this.#entries.keys()) this.#tell(uid, { kind: 'Stop', reason });
    for (const { send, request } of waiting) {
      this.#tell(request.pod.ref.uid, this.#sent(send.id, notSent(reason)));
    }
  }

  /** Passes a fact to a pod's state machine and carries out the resulting actions. An error ends the run of this pod only. */
  #tell(uid: string, fact: Fact): void {
    const entry = this.#entries.get(uid);
    if (!entry) return;
    try {
      const [run, actions] = next(entry.run, fact, this.options.clock.now());
      entry.run = run;
      for (const action of actions) this.#act(entry, action);
      if (!this.#entries.has(uid)) return;
      this.#poller.watch(refOf(run), watchOf(run));
      if (fact.kind !== 'OthersDone') this.#noteLingering(entry);
    } catch (error) {
      this.#fail(entry, error);
    }
  }

  #act(entry: Entry, action: Action): void {
    const { clock, cluster, emit, slots, stop, cut, jobs, policy } = this.options;
    const { plan } = entry.run;
    const { pod } = plan.candidate;
    const { uid } = pod.ref;
    switch (action.kind) {
      case 'Send':
        this.#ask({ entry, send: action, request: requestForStep(plan, action, policy) });
        return;
      case 'Read':
        this.#effect(entry, () =>
          slots(async () => {
            const reading = await cluster.readPod(pod.ref, cut);
            this.#tell(uid, { kind: 'Observed', reading });
          }),
        );
        return;
      case 'ReadJob':
        this.#effect(entry, async () => {
          // The pod may have been orphaned since.
          const owner = podIn(entry.run).owner ?? pod.owner;
          if (!owner) return;
          const { namespace } = pod.ref;
          const reading = await jobs.readSoon({ namespace, owner }, cut);
          this.#tell(uid, { kind: 'JobRead', reading });
        });
        return;
      case 'Sleep':
        this.#effect(entry, async () => {
          // A timer may fire a moment early.
          while (clock.now() < action.until && !stop.aborted) {
            await clock.sleep(Math.max(1, Math.ceil(action.until - clock.now())), stop);
          }
          this.#tell(uid, { kind: 'TimeUp' });
        });
        return;
      case 'Report':
        entry.reported = [...entry.reported, action];
        for (const container of action.containers) {
          emit({ kind: 'StepSent', pod: pod.ref, container, attempt: action.attempt });
        }
        return;
      case 'StepOver':
        this.#settle(`${uid}/${action.id}`, { kind: 'Over', end: action.end });
        return;
      case 'EndSeen':
        this.#settleRequest(requestForEnd(plan, action, policy), { kind: 'Over', end: action.end });
        return;
      case 'Conclude': {
        const conclusion = concludeRun(entry.run, action.job, policy.uncleanExit, clock.now());
        this.options.onConcluded(entry.run, conclusion);
        this.#leave(entry);
        emit({ kind: 'PodConcluded', conclusion });
        const warning = warningOf(conclusion);
        if (warning) emit({ kind: 'Warned', warning });
      }
    }
  }

  /** Asks the gates before taking a slot, so that a request that must wait takes none. */
  #ask(one: Waiting): void {
    const { stop, clock, gates } = this.options;
    const answers = gates.map((gate) => gate.ask(one.request, undefined, clock.now()));
    const waits = answers.find((answer) => answer.kind === 'Wait');
    if (waits?.kind === 'Wait' && !stop.aborted) this.#wait(waits.key, one);
    else this.#effect(one.entry, () => this.#inSlot(() => this.#send(one)));
  }

  #wait(key: string, one: Waiting): void {
    const queue = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, queue);
    if (key === one.awaited) queue.unshift(one);
    else {
      queue.push(one);
      this.#later(() => this.#askNext(one));
    }
  }

  /** When a request no longer waits for a key, asks again for the next one in that queue. */
  #askNext({ awaited }: Waiting): void {
    if (awaited !== undefined) this.#reopen(awaited);
  }

  async #send(one: Waiting): Promise<void> {
    const { fuse } = this.options;
    let decision: Decision | undefined;
    try {
      decision = await this.#decide(one);
    } finally {
      if (decision !== 'Open') this.#settleRequest(one.request, { kind: 'Over', end: 'NotSent' }, [fuse]);
      if (decision !== 'Waits') this.#askNext(one);
    }
    if (decision === 'Open') await this.#sendNow(one);
    else if (decision !== 'Waits') this.#tell(one.request.pod.ref.uid, decision);
  }

  /** Asks all gates within the slot, with a fresh reading of the Job; reserves if all are open. */
  async #decide(one: Waiting): Promise<Decision> {
    const { send, request } = one;
    const { gates, clock, stop, cut, jobs, cluster, policy } = this.options;
    const { id } = send;
    let counts: JobCounts | undefined;
    let raises = 0;
    let reads = 0;
    for (;;) {
      if (stop.aborted) return this.#sent(id, notSent(stopReason(stop)));
      // An error may have ended the run of the pod meanwhile.
      if (!this.#entries.has(request.pod.ref.uid)) return this.#sent(id, notSent('InternalError'));
      const answer = askAll(gates, request, counts, clock.now());
      switch (answer.kind) {
        case 'Open':
          if (!send.isAgain) this.#reserved.set(request.id, request);
          return 'Open';
        case 'Wait':
          this.#wait(answer.key, one);
          return 'Waits';
        case 'NodeLost':
          return this.#sent(id, notSent('NodeUnreachable'));
        case 'Stale':
          if (reads++ >= mostStale) return this.#missed(send, 'its Job could not be read in time');
          counts = await readCounts(request.pod, jobs, cluster, policy.noopImages, clock.now(), cut);
          break;
        case 'Never': {
          if (answer.reason === 'NoRoomInJob' && counts?.reading.kind === 'Unreadable')
            return this.#missed(send, 'its Job could not be read');
          const from = counts?.reading.kind === 'Present' ? counts.reading.job.backoffLimit : undefined;
          const { reason, raiseTo: to } = answer;
          const mayRaise = send.step.raisesLimit && raises++ < mostRaises;
          if (!mayRaise || from === undefined || to === undefined) return { kind: 'Blocked', id, reason };
          const raised = await this.#raise(request, { from, to });
          switch (raised.kind) {
            case 'Written':
            case 'Conflict':
              counts = undefined;
              reads = 0;
              break;
            case 'Refused':
            case 'Rejected':
              return { kind: 'Blocked', id, reason };
            case 'Busy':
            case 'Undelivered':
            case 'Unconfirmed':
              return this.#missed(send, `the backoffLimit of its Job could not be raised: ${raised.message}`);
          }
        }
      }
    }
  }

  #sent(id: number, sent: Sent): Fact {
    return { kind: 'Sent', id, sent, jitter: this.options.random() };
  }

  /** The fact that a request did not arrive: the pod's state machine sends it again after a pause. */
  #missed({ id, step, watched }: Send, message: string): Fact {
    const result = { kind: 'Undelivered', message } as const;
    const attempt = { step, sentAt: this.options.clock.now(), duration: 0, result };
    return this.#sent(id, { kind: 'Attempted', attempt, watched });
  }

  async #sendNow({ entry, send, request }: Waiting): Promise<void> {
    const watching = watchReach(this.options.cluster);
    const context = { ...this.options, cluster: watching.cluster };
    const isOpen = () => this.#entries.has(request.pod.ref.uid);
    const sent = await recheckAndSend(entry.run.plan, send.watched, send.step, context, isOpen);
    this.#settle(request.id, { kind: 'Answered', reached: watching.reached() });
    const wasMissed = sent.kind !== 'Attempted' || ['Busy', 'Undelivered'].includes(sent.attempt.result.kind);
    // A request that did not arrive gives up its reservation until it is sent again.
    if (wasMissed && !send.isAgain) this.#settle(request.id, { kind: 'Over', end: 'NotSent' });
    entry.hasBegun ||= !wasMissed;
    this.#tell(request.pod.ref.uid, this.#sent(send.id, sent));
  }

  /** Raises the limit of a Job for a swap, with a warning, even if the answer was lost. */
  async #raise({ pod }: SendRequest, raise: LimitRaise): Promise<WriteResult> {
    const { cluster, cut, emit } = this.options;
    const { namespace } = pod.ref;
    const job = jobOf(pod);
    if (!job) return { kind: 'Refused', message: 'it has no Job' };
    const does = `raise the backoffLimit of Job ${job.name} from ${raise.from} to ${raise.to}`;
    emit({ kind: 'Acting', pod: pod.ref, containers: [], does });
    const raised = await cluster.raiseBackoffLimit(namespace, job, raise, cut);
    if (raised.kind === 'Written' || raised.kind === 'Unconfirmed') {
      const unconfirmed = raised.kind === 'Unconfirmed' && ({ unconfirmed: true } as const);
      const told = { namespace, job: job.name, ...raise, ...unconfirmed };
      emit({ kind: 'Warned', warning: { kind: 'BackoffLimitRaised', ...told } });
    }
    return raised;
  }

  #settle(id: string, settled: Settled): void {
    const request = this.#reserved.get(id);
    if (!request) return;
    if (settled.kind === 'Over') this.#reserved.delete(id);
    this.#settleRequest(request, settled);
  }

  #settleRequest(request: SendRequest, settled: Settled, gates: readonly Gate[] = this.options.gates): void {
    const now = this.options.clock.now();
    const keys = new Set(gates.flatMap((gate) => gate.settle(request, settled, now)));
    for (const key of keys) this.#reopen(key);
  }

  /**
   * Asks again for the pods that have begun, for which others may wait, and for the first of the others; `#askNext` asks for the one
   * after that. At a node's limit the order stays.
   */
  #reopen(key: string): void {
    const queue = this.#waiting.get(key) ?? [];
    const isUrgent = ({ entry, request }: Waiting) => entry.hasBegun && key !== nodeKey(request.node ?? '');
    const [first, ...others] = queue.filter((one) => !isUrgent(one));
    if (others.length > 0) this.#waiting.set(key, others);
    else this.#waiting.delete(key);
    for (const one of [...queue.filter(isUrgent), ...(first ? [first] : [])]) {
      this.#ask({ ...one, awaited: key });
    }
  }

  /** Other pods do not wait for one that lingers: gates count it as left. */
  #noteLingering({ run }: Entry): void {
    const { uid } = refOf(run);
    if (!isLingering(run)) this.#lingering.delete(uid);
    else if (!this.#lingering.has(uid)) {
      this.#lingering.add(uid);
      this.#settleRequest(requestForPod(run.plan, this.options.policy), { kind: 'Left', phase: 'Open' });
      this.#finishLingering();
    }
  }

  /** When only pods that linger are left, they are read once more. */
  #finishLingering(): void {
    if (!this.#hasBegun || this.#lingering.size < this.#entries.size) return;
    const all = [...this.#lingering];
    this.#lingering.clear();
    for (const uid of all) this.#later(() => this.#tell(uid, { kind: 'OthersDone' }));
  }

  #leave(entry: Entry): void {
    const ref = refOf(entry.run);
    this.#entries.delete(ref.uid);
    this.#lingering.delete(ref.uid);
    this.#poller.watch(ref, undefined);
    const { phase } = podIn(entry.run);
    const end = phase === 'Succeeded' || phase === 'Failed' ? phase : 'Open';
    this.#settleRequest(requestForPod(entry.run.plan, this.options.policy), { kind: 'Left', phase: end });
    if (this.#hasBegun && this.#entries.size === 0) this.#finish();
    else this.#finishLingering();
  }

  #fail(entry: Entry, error: unknown): void {
    const { plan } = entry.run;
    const { ref } = plan.candidate.pod;
    if (!this.#entries.has(ref.uid)) return;
    const fault = faultOf(`sweeping ${ref.namespace}/${ref.name}`, error);
    for (const [id, { pod }] of this.#reserved) {
      if (pod.ref.uid === ref.uid) this.#settle(id, { kind: 'Over', end: 'Unseen' });
    }
    this.options.emit({ kind: 'FaultFound', fault });
    const sent = { reported: entry.reported, problem: describeFault(fault) };
    const conclusion = concludeUnread(plan, 'InternalError', sent);
    this.options.emit({ kind: 'PodConcluded', conclusion });
    this.#leave(entry);
  }

  #endWaits(): void {
    for (const [uid, { run }] of this.#entries) {
      const watch = watchOf(run);
      if (watch && this.options.clock.now() >= watch.until) this.#tell(uid, { kind: 'TimeUp' });
    }
  }

  /** Does work in a slot, and gives the slot back if the work takes long, so that silent nodes do not block other pods. */
  async #inSlot(work: () => Promise<void>): Promise<void> {
    const { clock, concurrency, slots } = this.options;
    const { ended } = await slots(async () => {
      const ended = work();
      const over = new AbortController();
      const end = () => over.abort('ended');
      void ended.then(end, end);
      await clock.sleep(timeInSlot, over.signal);
      if (over.signal.aborted || this.#silent >= concurrency) {
        await ended;
        return { ended };
      }
      this.#silent++;
      const free = () => void this.#silent--;
      void ended.then(free, free);
      return { ended };
    });
    await ended;
  }

  #effect(entry: Entry, work: () => Promise<void>): void {
    void work().catch((error: unknown) => this.#fail(entry, error));
  }

  /** Does work after the state machine's current transition, never within it. */
  #later(work: () => void): void {
    void Promise.resolve().then(work);
  }
}

function refOf({ plan }: PodRun): PodRef {
  return plan.candidate.pod.ref;
}
