import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { openCluster } from '../../../src/kube/cluster.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ReportFold } from '../../../src/report/sweep/fold.ts';
import { sweep } from '../../../src/sweep.ts';
import { systemClock } from '../../../src/util/time.ts';
import {
  type Behaviours,
  type Emulator,
  emulatorClock,
  ensureNamespace,
  type Pod,
  startEmulator,
} from '../../kit/emulator/index.ts';
import { manifestsOf, type RandomCluster } from './random-cluster.ts';

export const noopImage = 'docker.io/local/nop:1';

/** How much faster than real time the cluster and the sweeps run. */
const speed = 50;

/** An accelerated cluster that the library sweeps. Every random cluster is one of its namespaces. */
export class FastCluster {
  #namespaces = 0;

  private constructor(
    readonly emulator: Emulator,
    private readonly cluster: Awaited<ReturnType<typeof openCluster>>,
  ) {}

  static async start(behaviours?: Behaviours): Promise<FastCluster> {
    const clock = emulatorClock(speed);
    const emulator = await startEmulator({ runtime: 'light', clock, ...(behaviours && { behaviours }) });
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-guard-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, emulator.kubeconfig());
    const cluster = await openCluster(await loadConfig({ kubeconfig, env: {} }), 30_000);
    await rm(folder, { recursive: true });
    return new FastCluster(emulator, cluster);
  }

  createNamespace(random: RandomCluster): Namespace {
    const name = `random-${++this.#namespaces}`;
    ensureNamespace(this.emulator.world, name);
    return new Namespace(name, random, this);
  }

  async sweep(policy: Policy): Promise<SweepReport> {
    const fold = new ReportFold();
    const clock = {
      now: () => this.emulator.clock.now().getTime(),
      sleep: (time: number, abort: AbortSignal) => systemClock.sleep(time / speed, abort),
    };
    await sweep({
      run: {
        id: randomUUID(),
        version: 'test',
        dryRun: false,
        context: 'emulator',
        server: this.emulator.url,
      },
      policy,
      cluster: this.cluster,
      self: undefined,
      clock,
      emit: (event) => fold.hear(event),
      concurrency: 20,
      stop: new AbortController().signal,
    });
    return fold.report();
  }

  async stop(): Promise<void> {
    await this.cluster.close();
    await this.emulator.stop();
  }
}

/** A sidecar with a non-zero exit code although the work was done. */
export interface UncleanEnd {
  readonly uid: string;
  readonly image: string;
  /** The image and the arguments: those that are equal in both are started alike. */
  readonly program: string;
  readonly at: number;
}

/** The namespace of one random cluster. */
export class Namespace {
  readonly #unclean = new Map<string, UncleanEnd>();
  readonly #stopListening: () => void;

  constructor(
    readonly name: string,
    private readonly random: RandomCluster,
    private readonly fast: FastCluster,
  ) {
    this.#stopListening = fast.emulator.world.store.subscribe(({ resource, object }) => {
      if (resource === 'pods' && object.metadata.namespace === name) this.#watch(object as Pod);
    });
  }

  pods(): readonly Pod[] {
    return this.fast.emulator.world.store.list<Pod>('pods', this.name);
  }

  stuckPods(): readonly Pod[] {
    return this.pods().filter(isStuck);
  }

  /** Creates the Jobs that precede a sweep, and waits until main containers have ended or will restart. */
  async fill(sweep: number): Promise<void> {
    const jobs = manifestsOf(this.random, sweep, this.name);
    for (const manifest of jobs) this.fast.emulator.world.createJob(manifest);
    for (let round = 0; round < 12_000; round++) {
      await setTimeout(5);
      const pods = this.pods();
      const isThere = jobs.every(({ metadata: { name } }) => pods.some((pod) => jobOf(pod) === name));
      if (isThere && pods.every((pod) => isStuck(pod) || hasEnded(pod) || willRestart(pod))) return;
    }
    throw new Error('the main containers did not end');
  }

  sweep(policy: Policy): Promise<SweepReport> {
    return this.fast.sweep(policy);
  }

  /** Waits for this many milliseconds of the cluster's time. */
  async pass(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds / speed);
  }

  /** Deletes a pod as another client would. */
  delete(name: string): void {
    this.fast.emulator.world.deletePod(this.name, name, { gracePeriodSeconds: 0 });
  }

  /** The unclean ends so far: those that reran finished work, and those that the kubelet restarted. */
  uncleanEnds(): readonly UncleanEnd[] {
    return [...this.#unclean.values()];
  }

  /** Whether the cluster still shows it: the pod exists, and its image was not swapped. */
  isShown({ uid, image }: UncleanEnd): boolean {
    return this.pods().some(({ metadata, spec }) => metadata.uid === uid && imageOf(spec) === image);
  }

  leave(): void {
    this.#stopListening();
  }

  #watch({ metadata, spec, status }: Pod): void {
    const [main, sidecar] = status.containerStatuses ?? [];
    // A sweep is not responsible for pods that others delete.
    if (metadata.deletionTimestamp || main?.state.terminated?.exitCode !== 0 || !sidecar) return;
    const { uid } = metadata;
    const image = imageOf(spec);
    const program = `${image} ${argsOf(spec)}`;
    const { restartCount, state, lastState } = sidecar;
    const note = (key: string, finishedAt: string | undefined) => {
      if (!this.#unclean.has(key))
        this.#unclean.set(key, { uid, image, program, at: Date.parse(finishedAt ?? '') });
    };
    if (status.phase === 'Failed') note(uid, state.terminated?.finishedAt);
    // A swap also increments restartCount, but is not an unclean end.
    if (restartCount > 0 && image !== noopImage)
      note(`${uid} ${restartCount}`, lastState.terminated?.finishedAt);
  }
}

function imageOf({ containers }: Pod['spec']): string {
  return containers.find(({ name }) => name === 'sidecar')?.image ?? '';
}

function argsOf({ containers }: Pod['spec']): string {
  return containers.find(({ name }) => name === 'sidecar')?.args?.join(' ') ?? '';
}

function jobOf({ metadata }: Pick<Pod, 'metadata'>): string {
  return metadata.labels?.['job-name'] ?? '';
}

function isStuck({ metadata, status, spec }: Pod): boolean {
  const [main, sidecar] = status.containerStatuses ?? [];
  if (metadata.deletionTimestamp || status.phase !== 'Running' || !sidecar?.state.running) return false;
  const code = main?.state.terminated?.exitCode;
  return code === 0 || (code !== undefined && spec.restartPolicy === 'Never');
}

function hasEnded({ status: { phase } }: Pod): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

function willRestart({ spec, status: { containerStatuses = [] } }: Pod): boolean {
  const [main] = containerStatuses;
  const failed = main?.state.terminated ?? main?.lastState.terminated;
  return spec.restartPolicy === 'OnFailure' && failed !== undefined && failed.exitCode !== 0;
}
