import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { type OpenCluster, openCluster } from '../../../src/kube/cluster.ts';
import type { Cluster, Events, Leases } from '../../../src/model/ports.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { type Policy, type PolicyFlags, resolvePolicy } from '../../../src/policy/policy.ts';
import type { PolicyFile } from '../../../src/policy/policy-file.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ReportFold } from '../../../src/report/sweep/fold.ts';
import { type SweepOptions, sweep } from '../../../src/sweep.ts';
import { onAbort } from '../../../src/util/concurrency.ts';
import type { Clock } from '../../../src/util/time.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { type Emulator, type EmulatorOptions, startEmulator, steppedClock } from '../emulator/index.ts';
import { noopBehaviour } from './noop-images.ts';

/** Milliseconds of the cluster's time that pass between two looks at what is under way. */
const tick = 100;
/** A request without an answer for this many real milliseconds waits for the cluster's time. */
const patience = 250;
/** Turns of the event loop without a request until nothing more follows from what was answered. */
const quietTurns = 3;

/** The same cluster; what each of its methods returns goes through this. */
export function withResults<T extends Cluster>(cluster: T, change: (result: unknown) => unknown): T {
  return new Proxy(cluster, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => change(member.apply(target, args));
    },
  });
}

/**
 * Time that passes only while no request is under way: waits cost nothing, and a slow machine changes nothing.
 */
export class Simulation {
  readonly clock = steppedClock(Date.now());
  /** For requests: while one pauses before it is tried again, it does not hold the time. */
  readonly requestClock: Clock = {
    now: () => this.clock.now().getTime(),
    sleep: async (time, abort) => {
      this.#end();
      await clockOf(this.clock).sleep(time, abort);
      this.#underWay++;
    },
  };
  #underWay = 0;
  #answered = 0;

  /** The same cluster; its requests hold the time. */
  holdingTime<T extends Cluster>(cluster: T): T {
    return withResults(cluster, (result) => this.#held(result));
  }

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    void work.then(end, end);
    while (!isOver) {
      await this.#untilQuiet();
      if (!isOver) await this.clock.advance(tick);
    }
    return work;
  }

  /** Resolves when this much of the cluster's time has passed. */
  pass(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.clock.after(milliseconds, resolve));
  }

  #held(result: unknown): unknown {
    if (result instanceof Promise) {
      this.#underWay++;
      return result.finally(() => this.#end());
    }
    const isIterable = typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
    return isIterable ? this.#blockedParts(result as AsyncIterable<unknown>) : result;
  }

  async *#blockedParts(parts: AsyncIterable<unknown>): AsyncIterable<unknown> {
    const iterator = parts[Symbol.asyncIterator]();
    for (;;) {
      this.#underWay++;
      const next = await iterator.next().finally(() => this.#end());
      if (next.done) return;
      yield next.value;
    }
  }

  #end(): void {
    this.#underWay--;
    this.#answered++;
  }

  async #untilQuiet(): Promise<void> {
    let quiet = 0;
    let answered = this.#answered;
    let since = performance.now();
    while (quiet < quietTurns) {
      await setImmediate();
      quiet = this.#underWay === 0 ? quiet + 1 : 0;
      if (answered !== this.#answered) since = performance.now();
      answered = this.#answered;
      if (performance.now() - since > patience) return;
    }
  }
}

/** A sweep that takes longer is stopped, in milliseconds of the cluster's clock. */
export const longestSweep = 1_200_000;

export interface SimulatedOptions {
  /** How many milliseconds late the kubelet notices that containers have ended. */
  readonly lag?: number;
  /** In milliseconds of real time, after which a request counts as failed. */
  readonly requestTimeout?: number;
  readonly emulator?: EmulatorOptions;
}

export interface SimulatedSweep
  extends Partial<Pick<SweepOptions, 'cluster' | 'confirm' | 'notebook' | 'concurrency' | 'self' | 'clock'>> {
  readonly dryRun?: boolean;
  readonly stop?: AbortController;
}

/** A cluster in simulated time that the library sweeps. Every scenario is one of its namespaces. */
export class SimulatedCluster {
  readonly #others: OpenCluster[] = [];
  /** What sweeps are given, and what they need besides: its requests hold the time. */
  readonly held: Cluster & Leases & Events;

  private constructor(
    readonly emulator: Emulator,
    readonly simulation: Simulation,
    private readonly admin: OpenCluster,
    private readonly options: SimulatedOptions,
  ) {
    this.held = simulation.holdingTime(admin);
  }

  static async start(options: SimulatedOptions = {}): Promise<SimulatedCluster> {
    const { lag = 0 } = options;
    const simulation = new Simulation();
    const emulator = await startEmulator({
      runtime: 'light',
      clock: simulation.clock,
      behaviours: noopBehaviour,
      statusLag: lag,
      ...options.emulator,
    });
    const admin = await open(emulator.kubeconfig(), simulation, options);
    return new SimulatedCluster(emulator, simulation, admin, options);
  }

  /** A connection of its own: clients that share one share the pauses that a server asks for. */
  async connect(kubeconfig = this.emulator.kubeconfig()): Promise<Cluster> {
    const cluster = await open(kubeconfig, this.simulation, this.options);
    this.#others.push(cluster);
    return this.simulation.holdingTime(cluster);
  }

  get lag(): number {
    return this.options.lag ?? 0;
  }

  get now(): number {
    return this.emulator.clock.now().getTime();
  }

  /** Sweeps one of its namespaces, while time passes. */
  sweepIn(
    namespace: string,
    flags: Partial<PolicyFlags> = {},
    file?: PolicyFile,
    more: SimulatedSweep = {},
  ): Promise<SweepReport> {
    const policy = resolvePolicy({ namespaces: [namespace], lastResort: [], ...flags }, file);
    return this.simulation.run(this.sweep(namespace, policy, undefined, more));
  }

  /** Sweeps until it is over, or for `longestSweep`. */
  async sweep(
    id: string,
    policy: Policy,
    hear: (event: SweepEvent) => void = () => undefined,
    { stop = new AbortController(), dryRun = false, ...more }: SimulatedSweep = {},
  ): Promise<SweepReport> {
    const cancel = this.simulation.clock.after(longestSweep, () => stop.abort('Deadline'));
    const fold = new ReportFold();
    const emit = (event: SweepEvent) => {
      fold.hear(event);
      hear(event);
    };
    const leave = onAbort(stop.signal, () => emit({ kind: 'Stopping', reason: stop.signal.reason }));
    await sweep({
      run: { id, version: 'test', dryRun, context: 'emulator', server: this.emulator.url },
      policy,
      cluster: this.held,
      self: undefined,
      clock: clockOf(this.simulation.clock),
      random: () => 0.5,
      emit,
      concurrency: 20,
      ...more,
      stop: stop.signal,
    });
    leave();
    cancel();
    return fold.report();
  }

  async stop(): Promise<void> {
    await Promise.all([this.admin, ...this.#others].map((each) => each.close()));
    await this.emulator.stop();
  }
}

async function open(
  text: string,
  { requestClock }: Simulation,
  { requestTimeout = 30_000 }: SimulatedOptions,
): Promise<OpenCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-properties-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, text);
  const pace = { clock: requestClock, random: () => 0.5 };
  const connection = await loadConfig({ kubeconfig, env: {} });
  await rm(folder, { recursive: true });
  return openCluster(connection, requestTimeout, { pace });
}
