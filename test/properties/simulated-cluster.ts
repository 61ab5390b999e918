import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SweepEvent } from '../../src/events.ts';
import { openCluster } from '../../src/kube/cluster.ts';
import { loadConfig } from '../../src/kube/kubeconfig/config.ts';
import type { Policy } from '../../src/policy/policy.ts';
import type { Cluster } from '../../src/ports.ts';
import type { SweepReport } from '../../src/report/schema.ts';
import { ReportFold } from '../../src/report/sweep/fold.ts';
import { type SweepOptions, sweep } from '../../src/sweep.ts';
import { clockOf } from '../builders/stepped-clock.ts';
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
  extends Partial<Pick<SweepOptions, 'notebook' | 'concurrency' | 'self' | 'cluster'>> {
  readonly dryRun?: boolean;
  readonly stop?: AbortController;
}

/** A cluster in simulated time that the library sweeps. Every scenario is one of its namespaces. */
export class SimulatedCluster {
  private constructor(
    readonly emulator: Emulator,
    readonly simulation: Simulation,
    private readonly cluster: Awaited<ReturnType<typeof openCluster>>,
    /** What sweeps are given: its requests hold the time. */
    readonly held: Cluster,
    /** How many milliseconds late its kubelet notices that containers have ended. */
    readonly lag: number,
  ) {}

  static async start(options: SimulatedOptions = {}): Promise<SimulatedCluster> {
    const { lag = 0, requestTimeout = 30_000 } = options;
    const simulation = new Simulation();
    const emulator = await startEmulator({
      runtime: 'light',
      clock: simulation.clock,
      behaviours: (pod, { image, command }) => noopBehaviour(pod, image, command?.[0]),
      ...(lag > 0 && { statusLag: () => lag }),
      ...options.emulator,
    });
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-properties-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, emulator.kubeconfig());
    const pace = { clock: simulation.requestClock, random: () => 0.5 };
    const cluster = await openCluster(loadConfig({ kubeconfig, env: {} }), requestTimeout, { pace });
    await rm(folder, { recursive: true });
    return new SimulatedCluster(emulator, simulation, cluster, simulation.holdingTime(cluster), lag);
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
    await sweep({
      run: { id, version: 'test', dryRun, context: 'emulator', server: this.emulator.url },
      policy,
      cluster: this.held,
      self: undefined,
      clock: clockOf(this.simulation.clock),
      random: () => 0.5,
      emit(event) {
        fold.hear(event);
        hear(event);
      },
      concurrency: 20,
      ...more,
      stop: stop.signal,
    });
    cancel();
    return fold.report();
  }

  async stop(): Promise<void> {
    await this.cluster.close();
    await this.emulator.stop();
  }
}
