import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/kube/auth/config.ts';
import { openCluster } from '../../src/kube/cluster.ts';
import { resolvePolicy } from '../../src/policy/policy.ts';
import type { SweepReport } from '../../src/report/schema.ts';
import { ReportFold } from '../../src/report/sweep/fold.ts';
import { sweep } from '../../src/sweep.ts';
import { type Clock, systemClock } from '../../src/util/time.ts';
import {
  type Emulator,
  type EmulatorOptions,
  emulatorClock,
  type Pod,
  startEmulator,
} from './emulator/index.ts';

/** How much faster than real time the cluster and the sweeps run. */
const speed = 100;

/** A light cluster in fast motion that the library sweeps, for behaviours that take minutes. */
export class FastSweeps {
  private constructor(
    readonly emulator: Emulator,
    private readonly cluster: Awaited<ReturnType<typeof openCluster>>,
    private readonly clock: Clock,
  ) {}

  /** The timeout of requests is real time. */
  static async start(options: EmulatorOptions = {}, requestTimeout = 30_000): Promise<FastSweeps> {
    const emulated = emulatorClock(speed);
    const clock: Clock = {
      now: () => emulated.now().getTime(),
      sleep: (time, abort) => systemClock.sleep(time / speed, abort),
    };
    const emulator = await startEmulator({ runtime: 'light', ...options, clock: emulated });
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-fast-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, emulator.kubeconfig());
    const cluster = await openCluster(await loadConfig({ kubeconfig, env: {} }), requestTimeout, {
      pace: { clock, random: Math.random },
    });
    await rm(folder, { recursive: true });
    return new FastSweeps(emulator, cluster, clock);
  }

  /** Sweeps one namespace. */
  async sweep(namespace: string, lastResort: readonly string[] = []): Promise<SweepReport> {
    const fold = new ReportFold();
    const { url } = this.emulator;
    await sweep({
      run: { id: namespace, version: 'test', dryRun: false, context: 'emulator', server: url },
      policy: resolvePolicy({ namespaces: [namespace], lastResort: [...lastResort] }, undefined),
      cluster: this.cluster,
      self: undefined,
      clock: this.clock,
      emit: (event) => fold.hear(event),
      concurrency: 20,
      stop: new AbortController().signal,
    });
    return fold.report();
  }

  /** Whether a sidecar runs, however long ago the kubelet reported on it. */
  runs(namespace: string, name: string): boolean {
    const { store, kubelet } = this.emulator.world;
    const pod = store.get<Pod>('pods', namespace, name);
    return kubelet.running(pod?.metadata.uid ?? '', 'sidecar') !== undefined;
  }

  async stop(): Promise<void> {
    await this.cluster.close();
    await this.emulator.stop();
  }
}
