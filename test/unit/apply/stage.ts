import { type ApplyContext, openContext } from '../../../src/apply/context.ts';
import { createJobReader } from '../../../src/facts/jobs.ts';
import type { AttemptResult, StopReason } from '../../../src/model/outcome.ts';
import type { ContainerView, PodRef, PodView } from '../../../src/model/pod.ts';
import type { Cluster, ExecResult, HttpResult, JobReading, WriteResult } from '../../../src/model/ports.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import type { PlannedStep, PodPlan, SweepPlan } from '../../../src/plan/sweep-plan.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import type { Clock } from '../../../src/util/time.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { podPlan, steps } from '../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { type SteppedClock, steppedClock } from '../../kit/emulator/index.ts';

/** What a request to the pod leads to; it may change the pod, and take its time. */
export interface Answers {
  /** To a step by `ask`, in words such as `quit sidecar`. */
  readonly asked: (request: string) => AttemptResult | Promise<AttemptResult>;
  /** To a step that the API server takes, such as `evict` or `swap sidecar for noop:1`. */
  readonly written: (request: string) => WriteResult | Promise<WriteResult>;
}

export interface StageOptions extends Partial<Answers> {
  readonly pod?: PodView;
  readonly plans?: readonly PodPlan[];
  readonly job?: JobReading;
  readonly slots?: number;
}

/** A cluster in memory that has one pod, and all that apply works with around it. Time only moves in `finish`. */
export class Stage {
  /** What was sent to the pod, in order. */
  readonly sent: string[] = [];
  readonly heard: SweepEvent[] = [];
  readonly context: ApplyContext;
  readonly plan: SweepPlan;
  /** What the next read of the pod gives; `undefined` stands for the pod as it is. */
  shown: PodReading | undefined;
  reads = 0;
  readonly time: SteppedClock = steppedClock(now);
  readonly clock: Clock = clockOf(this.time);
  #pod: PodView;
  readonly #stopping = new AbortController();
  readonly #answers: Answers;
  readonly options: Parameters<typeof openContext>[0];

  constructor({ pod = podView(), plans = [podPlan()], job, slots = 4, ...answers }: StageOptions = {}) {
    this.#pod = pod;
    this.#answers = {
      asked: () => ({ kind: 'Accepted' }),
      written: () => ({ kind: 'Written' }),
      ...answers,
    };
    this.plan = { asOf: now, pods: plans, warnings: [] };
    const cluster = this.#cluster(job ?? { kind: 'Gone' });
    const emit = (event: SweepEvent) => void this.heard.push(event);
    this.options = {
      cluster,
      policy: policy(),
      facts: noFacts,
      jobs: createJobReader(cluster, emit),
      slots: createSlots(slots),
      concurrency: slots,
      clock: this.clock,
      // The shortest pauses: 0.5, 1, 2 and 4 s, and 5 s from then on.
      random: () => 0,
      emit,
      stop: this.#stopping.signal,
      // So many that one pod is read by GET.
      listed: 1_000,
      notebook: undefined,
    };
    this.context = openContext(this.options).context;
  }

  /** As it is by now. */
  get pod(): PodView {
    return this.#pod;
  }

  get ref(): PodRef {
    return this.#pod.ref;
  }

  /** The first plan, for the pod as it is by now. */
  get podPlan(): PodPlan {
    const [plan = podPlan()] = this.plan.pods;
    return { ...plan, candidate: { ...plan.candidate, pod: this.#pod } };
  }

  /** Milliseconds since the beginning. */
  get elapsed(): number {
    return this.clock.now() - now;
  }

  stop(reason: StopReason): void {
    this.#stopping.abort(reason);
  }

  change(more: Partial<PodView>): void {
    this.#pod = { ...this.#pod, ...more };
  }

  changeContainer(name: string, more: Partial<ContainerView>): void {
    const containers = this.#pod.containers.map((one) => (one.name === name ? { ...one, ...more } : one));
    this.change({ containers });
  }

  end(name: string, exitCode = 0): void {
    this.changeContainer(name, { state: exited(exitCode, this.clock.now()) });
  }

  /** The kubelet starts another instance. */
  restart(name: string): void {
    this.changeContainer(name, { id: `containerd://${name}-1`, restartCount: 1, lastExitCode: 143 });
  }

  /** Does something later. */
  after(milliseconds: number, change: () => void): void {
    this.time.after(milliseconds, change);
  }

  /** Moves time on until the work is done. */
  async finish<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const note = () => {
      isDone = true;
    };
    work.then(note, note);
    for (let seconds = 0; !isDone; seconds++) {
      if (seconds > 600) throw new Error('it waits for ever');
      await this.time.advance(1_000);
    }
    return work;
  }

  async #exec([program = '', ...argv]: readonly string[], name: string): Promise<ExecResult> {
    // That a sidecar runs is left to its status.
    if (argv.at(-1) === ':') return { kind: 'Refused', message: 'forbidden' };
    const word = program === '/bin/sh' ? wordOf(argv.at(-1)) : program;
    this.sent.push(`${word} ${name}`);
    return execResult(await this.#answers.asked(`${word} ${name}`));
  }

  async #request(request: string): Promise<HttpResult> {
    this.sent.push(request);
    const result = await this.#answers.asked(request);
    if (result.kind === 'Unsupported') return { kind: 'NotListening', message: result.message };
    const answer = execResult(result);
    if (answer.kind === 'NoSuchProgram') throw new Error('an HTTP request runs no program');
    return answer.kind === 'Exited' ? { kind: 'Answered', status: 200 } : answer;
  }

  async #write(request: string): Promise<WriteResult> {
    this.sent.push(request);
    return this.#answers.written(request);
  }

  #cluster(job: JobReading): Cluster {
    return clusterWith({
      readPod: async () => {
        this.reads++;
        return this.shown ?? { kind: 'Present', pod: this.#pod, asOf: this.clock.now() };
      },
      readJob: async () => job,
      listFailedPods: async () => [],
      exec: async (_ref, name, command) => this.#exec(command, name),
      request: async (_ref, { path }) => this.#request(`${path.slice(1)} sidecar`),
      evict: async () => this.#write('evict'),
      deletePod: async () => this.#write('delete'),
      swapImages: async (_ref, swaps) =>
        this.#write(swaps.map((swap) => `swap ${swap.container} for ${swap.image}`).join(', ')),
    });
  }
}

const signals = {
  quit: 'QUIT',
  term: 'TERM',
  kill: 'KILL',
  first: 'HUP',
  second: 'USR1',
  third: 'USR2',
} as const;
type Word = keyof typeof signals;

/** The word for a signal that the script is given as `TERM:15`. */
function wordOf(given = ''): string | undefined {
  return Object.entries(signals).find(([, signal]) => given.startsWith(`${signal}:`))?.[0];
}

/** A step that asks a sidecar to end, by a command, or by the method that can come to the result. */
export function ask(
  word: Word,
  more: Partial<Pick<PlannedStep, 'blocked'>> = {},
  result: AttemptResult['kind'] = 'Accepted',
): PlannedStep {
  const common = { grace: 5_000, ...more } as const;
  if (result === 'Immune') return { ...steps.Signal, ...common, signals: [signals[word]] };
  if (result !== 'Unsupported') return { ...steps.Command, ...common, command: [word] };
  return { ...steps.Http, ...common, request: { ...steps.Http.request, path: `/${word}` } };
}

/** How an exec ends whose attempt comes to this result. */
function execResult(result: AttemptResult): ExecResult {
  switch (result.kind) {
    case 'Accepted':
      return { kind: 'Exited', exitCode: 0, output: '' };
    case 'Failed':
      return { kind: 'Exited', exitCode: 1, output: '' };
    case 'Immune':
      return { kind: 'Exited', exitCode: 1, output: `immune ${result.message}` };
    case 'Busy':
      return { kind: 'Busy', message: result.message, retryAfter: result.retryAfterMs };
    case 'Unsupported':
    case 'Blocked':
      throw new Error(`no exec comes to ${result.kind}`);
    case 'Unconfirmed': {
      const { unopened, ...unconfirmed } = result;
      return { ...unconfirmed, ...(unopened && { unopened }) };
    }
    case 'Undelivered': {
      const { noUpgrade, ...undelivered } = result;
      return { ...undelivered, ...(noUpgrade && { noUpgrade }) };
    }
    case 'NoSuchProgram':
    case 'NotThere':
    case 'Refused':
      return result;
  }
}

export const evict: PlannedStep = { ...steps.Evict, grace: 5_000 };
export const deletePod: PlannedStep = { ...steps.Delete, grace: 5_000 };
export const swap: PlannedStep = { ...steps.ImageSwap, grace: 5_000 };

/** A stuck pod with the sidecars `a` and `b`, both running. */
export function podOfTwo(): PodView {
  return podView({
    annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
    containers: [container('main', exited()), container('a', running), container('b', running)],
  });
}
