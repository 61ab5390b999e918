import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SweepReport } from '../../src/report/schema.ts';
import { sidecarsOf } from '../../src/report/sweep/planned.ts';
import { type CliOptions, type CliRun, runCli } from './cli.ts';
import {
  type Container,
  type Emulator,
  type EmulatorOptions,
  ensureNamespace,
  type KubeconfigUser,
  type LightBehaviour,
  type Placement,
  type RequestMatch,
  startEmulator,
} from './emulator/index.ts';
import { runHere } from './run-here.ts';
import { startedOnce } from './started.ts';

/** How the sidecars of test pods react to signals in the light runtime. */
export const sidecars = {
  clean: { on: { SIGTERM: { exitCode: 0, after: 50 } } },
  unclean: { on: { SIGTERM: { exitCode: 143, after: 50 } } },
  /** Handles TERM, but takes an hour. */
  stubborn: { on: { SIGTERM: { exitCode: 0, after: 3_600_000 } } },
  /** Handles no signals, like `sleep`. */
  immune: { on: {} },
  shellLess: { shell: false },
} as const satisfies Record<string, LightBehaviour>;

export interface StuckPod {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly sidecar?: LightBehaviour;
  readonly grace?: number;
  readonly node?: string;
  readonly restartPolicy?: 'Never' | 'OnFailure';
  readonly endedMinutesAgo?: number;
  /** What else its manifest says, and the states of what other containers it has. */
  readonly metadata?: Placement['manifest']['metadata'];
  readonly spec?: Partial<Placement['manifest']['spec']>;
  readonly states?: Placement['states'];
}

export const quit = { port: 15_020, path: '/quitquitquit' } as const;

/** The annotation by which an owner gives the sidecar's steps. */
export function stepsOf(...steps: readonly object[]) {
  return { 'sidecar-sweeper.dev/steps-sidecar': JSON.stringify(steps) };
}

/** Ends with 0 by the request that its annotation names, and by nothing else from inside. */
export const quits = {
  sidecar: { shell: false, quit: { ...quit, exitCode: 0 } },
  annotations: stepsOf({ http: quit, exitCode: 0 }),
} as const satisfies StuckPod;

export function container(name: string, more: Partial<Container> = {}): Container {
  return { name, image: 'docker.io/local/busybox:1', ...more };
}

/** The metadata of a pod that one object controls. */
export function ownedBy(kind: string, name: string, uid = name, apiVersion = 'batch/v1') {
  return { ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] };
}

/** A pod whose main container ended an hour ago while its annotated sidecar is running. Grace period: 1 s. */
export function stuckPod(pod: StuckPod = {}): Placement {
  const { name = 'stuck', namespace = 'demo', sidecar = sidecars.clean, endedMinutesAgo = 60 } = pod;
  return {
    manifest: {
      metadata: {
        name,
        namespace,
        labels: { ...pod.labels },
        annotations: {
          'sidecar-sweeper.dev/sidecars': 'sidecar',
          'emulator.sidecar-sweeper.dev/behaviour': JSON.stringify({ sidecar }),
          ...pod.annotations,
        },
        ...pod.metadata,
      },
      spec: {
        ...(pod.node !== undefined && { nodeName: pod.node }),
        restartPolicy: pod.restartPolicy ?? 'Never',
        terminationGracePeriodSeconds: pod.grace ?? 1,
        containers: [container('main'), container('sidecar')],
        ...pod.spec,
      },
    },
    states: {
      main: { kind: 'terminated', exitCode: 0, finishedAt: new Date(Date.now() - endedMinutesAgo * 60_000) },
      sidecar: { kind: 'running', startedAt: new Date(Date.now() - 7_200_000) },
      ...pod.states,
    },
  };
}

/** A pod whose main runs on without its mesh proxy, which ended an hour ago. No sidecar keeps it from ending. */
export function hangingPod(pod: Pick<StuckPod, 'name' | 'namespace'> = {}): Placement {
  const { manifest } = stuckPod(pod);
  const { annotations: _, ...metadata } = manifest.metadata;
  const containers = [
    container('main'),
    container('istio-proxy', { image: 'docker.io/istio/proxyv2:1.27.0' }),
  ];
  const hour = 3_600_000;
  return {
    manifest: { metadata, spec: { ...manifest.spec, containers } },
    states: {
      main: { kind: 'running', startedAt: new Date(Date.now() - 2 * hour) },
      'istio-proxy': { kind: 'terminated', exitCode: 0, finishedAt: new Date(Date.now() - hour) },
    },
  };
}

export class TestCluster {
  #cases = 0;
  readonly #kubeconfigs = new Map<string, { readonly text: string; readonly written: Promise<void> }>();

  private constructor(
    readonly emulator: Emulator,
    /** Is removed when it stops. */
    readonly folder: string,
  ) {}

  static async start(pods: readonly Placement[] = [], options: EmulatorOptions = {}): Promise<TestCluster> {
    const emulator = await startEmulator({ runtime: 'light', ...options });
    emulator.world.placePods(pods);
    return new TestCluster(emulator, await mkdtemp(join(tmpdir(), 'sidecar-sweeper-test-')));
  }

  /** The one that the tests of a file share. */
  static startedOnce(pods: readonly Placement[] = [], options: EmulatorOptions = {}): TestCluster {
    return startedOnce(() => TestCluster.start(pods, options));
  }

  /** Places stuck pods in a namespace of their own, whose name it returns. */
  placeCase(...pods: readonly StuckPod[]): string {
    const { world } = this.emulator;
    const namespace = `case-${this.#cases++}`;
    ensureNamespace(world, namespace);
    world.placePods(pods.map((pod) => stuckPod({ ...pod, namespace })));
    return namespace;
  }

  async kubeconfig(user: KubeconfigUser = 'admin'): Promise<string> {
    const file = join(this.folder, typeof user === 'string' ? user : user.name);
    const text = this.emulator.kubeconfig(user);
    const known = this.#kubeconfigs.get(file);
    // Runs at the same time read the same file.
    const written = known?.text === text ? known.written : writeFile(file, text);
    this.#kubeconfigs.set(file, { text, written });
    await written;
    return file;
  }

  async run(
    argv: readonly string[] = [],
    options: CliOptions & { user?: KubeconfigUser } = {},
  ): Promise<CliRun> {
    return runCli([...argv, '--kubeconfig', await this.kubeconfig(options.user)], options);
  }

  /** Runs the command, and strikes its process when the server gets the first such request. */
  runStruck(
    match: RequestMatch,
    strike: (child: ChildProcess) => void,
    argv: readonly string[],
    options: CliOptions = {},
  ): Promise<CliRun> {
    let child: ChildProcess | undefined;
    const run = () => child && strike(child);
    this.emulator.faults.add(match, { kind: 'Before', run }, { times: 1 });
    const onStart = (started: ChildProcess) => {
      child = started;
    };
    return this.run(argv, { ...options, onStart });
  }

  async sweep(
    argv: readonly string[] = [],
    options: CliOptions & { user?: KubeconfigUser } = {},
  ): Promise<{ run: CliRun; report: SweepReport }> {
    const run = await this.run([...argv, '-o', 'json'], options);
    return { run, report: JSON.parse(run.stdout) };
  }

  /** Runs the command in this process, which takes less time than to start another one. */
  async runHere(
    argv: readonly string[] = [],
    { user, env = {} }: Pick<CliOptions, 'env'> & { user?: KubeconfigUser } = {},
  ): Promise<CliRun> {
    return runHere([...argv, '--kubeconfig', await this.kubeconfig(user)], env);
  }

  async sweepHere(
    argv: readonly string[] = [],
    options: Pick<CliOptions, 'env'> & { user?: KubeconfigUser } = {},
  ): Promise<{ run: CliRun; report: SweepReport }> {
    const run = await this.runHere([...argv, '-o', 'json'], options);
    return { run, report: JSON.parse(run.stdout) };
  }

  async stop(): Promise<void> {
    await this.emulator.stop();
    await rm(this.folder, { recursive: true });
  }
}

export function sidecarOutcome(report: SweepReport, pod = 'stuck') {
  return report.pods.filter(({ name }) => name === pod).flatMap(sidecarsOf)[0]?.outcome;
}

export function podOutcome(report: SweepReport, pod = 'stuck') {
  return report.pods.find(({ name }) => name === pod)?.outcome;
}
