import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { type OpenCluster, openCluster } from '../../../src/kube/cluster.ts';
import type { Cluster, Events, Leases } from '../../../src/model/ports.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ReportFold } from '../../../src/report/sweep/fold.ts';
import { type SweepOptions, sweep } from '../../../src/sweep.ts';
import { onAbort } from '../../../src/util/concurrency.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../emulator/index.ts';
import { noopBehaviour } from './noop-images.ts';
import { Simulation } from './simulation.ts';

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
  extends Partial<Pick<SweepOptions, 'cluster' | 'notebook' | 'concurrency' | 'self' | 'clock'>> {
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
      behaviours: (pod, { image, command }) => noopBehaviour(pod, image, command?.[0]),
      statusLag: lag,
      ...options.emulator,
    });
    const admin = await open(emulator.kubeconfig(), simulation, options);
    return new SimulatedCluster(emulator, simulation, admin, options);
  }

  /** A connection of its own: whoever shares one shares the pauses that a server asks for. */
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

  /** Sweeps until it is over, or for `longestSweep`. */
  async sweep(
    id: string,
    policy: Policy,
    hear: (event: SweepEvent) => void,
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
