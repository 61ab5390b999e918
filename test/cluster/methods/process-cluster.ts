import { setTimeout } from 'node:timers/promises';
import { type MethodName, methodNamed } from '../../../src/methods/index.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { sidecarsOf } from '../../../src/report/sweep/planned.ts';
import { type CliRun, policyFlag } from '../../kit/cli.ts';
import type {
  Container,
  Emulator,
  Images,
  Job,
  JobManifest,
  KubeconfigUser,
  Pod,
  PodManifest,
} from '../../kit/emulator/index.ts';
import { container, TestCluster } from '../../kit/stuck-pods.ts';

/** A Job whose main container exits at once while its sidecars keep running. */
export interface StuckJob {
  readonly name: string;
  /** The sweep that covers it; each sweep covers only its own pods. */
  readonly sweep: string;
  readonly sidecars: readonly Container[];
  readonly main?: Partial<Container>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodManifest['spec']>;
}

export interface SweepOptions {
  readonly flags?: readonly string[];
  readonly policy?: object;
  readonly user?: KubeconfigUser;
}

export interface Swept {
  readonly run: CliRun;
  readonly report: SweepReport;
}

type PodReport = SweepReport['pods'][number];
type SidecarReport = Extract<PodReport['containers'][number], { role: 'Sidecar' }>;

/** A cluster with real processes, which the built command sweeps. */
export class ProcessCluster {
  /** The UID of each Job's first pod, once it is stuck. */
  readonly #firstPods = new Map<string, string | undefined>();
  readonly #swept = new Map<string, Swept>();

  private constructor(private readonly cluster: TestCluster) {}

  static async start(images?: Images): Promise<ProcessCluster> {
    return new ProcessCluster(
      await TestCluster.start([], { runtime: 'processes', ...(images && { images }) }),
    );
  }

  get emulator(): Emulator {
    return this.cluster.emulator;
  }

  createJob({ name, sweep, sidecars, main, annotations, spec }: StuckJob): void {
    const containers = [container('main', { command: ['true'], ...main }), ...sidecars];
    const pod = { restartPolicy: 'Never', terminationGracePeriodSeconds: 2, ...spec, containers } as const;
    this.createJobFrom({
      metadata: { name },
      spec: { template: { metadata: { labels: { sweep }, annotations: { ...annotations } }, spec: pod } },
    });
  }

  createJobFrom(manifest: JobManifest): void {
    this.emulator.world.createJob(manifest);
    this.#firstPods.set(manifest.metadata.name ?? '', undefined);
  }

  /**
   * Waits until every Job's pod is stuck: its main container has ended, and its sidecars have had time to
   * install signal handlers and open ports.
   */
  async untilStuck(): Promise<void> {
    const end = performance.now() + 180_000;
    for (;;) {
      const waiting = [...this.#firstPods.keys()].filter((job) => !this.#isStuck(job));
      if (waiting.length === 0) return;
      if (performance.now() > end) throw new Error(`not stuck: ${waiting.join(', ')}`);
      await setTimeout(100);
    }
  }

  #isStuck(job: string): boolean {
    const pod = this.podsOf(job)[0];
    this.#firstPods.set(job, pod?.metadata.uid);
    return isStuck(pod);
  }

  /** The first pod of a Job; undefined if it no longer exists. */
  podOf(job: string): Pod | undefined {
    return this.podsOf(job).find(({ metadata }) => metadata.uid === this.#firstPods.get(job));
  }

  podsOf(job: string): Pod[] {
    const pods = this.emulator.world.store.list<Pod>('pods');
    return pods.filter(({ metadata }) => metadata.labels?.['job-name'] === job);
  }

  job(name: string): Job | undefined {
    return this.emulator.world.store.list<Job>('jobs').find(({ metadata }) => metadata.name === name);
  }

  logs(job: string, container: string): string {
    const uid = this.podOf(job)?.metadata.uid ?? '';
    return this.emulator.world.kubelet.logs(uid, container) ?? '';
  }

  async sweep(name: string, { flags = [], policy, user = 'admin' }: SweepOptions = {}): Promise<void> {
    const pods = ['-l', `sweep=${name}`, '--min-age', '0', ...(policy ? policyFlag(policy) : [])];
    const run = await this.cluster.runHere([...pods, '-o', 'json', ...flags], { user });
    if (run.stdout === '') throw new Error(`sweep ${name} wrote no report: ${run.stderr}`);
    this.#swept.set(name, { run, report: JSON.parse(run.stdout) });
  }

  /** Sweeps the pods of each of these side by side. */
  async sweepAll(sweeps: Readonly<Record<string, SweepOptions>>): Promise<void> {
    await Promise.all(Object.entries(sweeps).map(([name, options]) => this.sweep(name, options)));
  }

  swept(name: string): Swept {
    const swept = this.#swept.get(name);
    if (!swept) throw new Error(`${name} did not run`);
    return swept;
  }

  /** What a container logged of requests and signals. */
  heard(job: string, container: string): readonly string[] {
    const lines = this.logs(job, container).split('\n');
    return lines.filter((line) => line !== '' && line !== 'ready');
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}

export function podReport({ report }: Swept, job: string): PodReport {
  const pod = report.pods.find(({ owner }) => owner?.name === job);
  if (!pod) throw new Error(`the report does not name a pod of ${job}`);
  return pod;
}

/** A report's entry for the only sidecar of a Job's pod. */
export function sidecarReport(swept: Swept, job: string): SidecarReport {
  const [sidecar, ...others] = sidecarsOf(podReport(swept, job));
  if (!sidecar || others.length > 0) throw new Error(`${job} does not have one sidecar`);
  return sidecar;
}

export function methodsTried({ attempts }: SidecarReport): readonly string[] {
  return attempts.map(({ method }) => method);
}

function isStuck(pod: Pod | undefined): boolean {
  if (!pod) return false;
  const ago = (time: string | undefined) => (time === undefined ? 0 : Date.now() - Date.parse(time));
  const statuses = pod.status.containerStatuses ?? [];
  return (
    statuses.length > 0 &&
    statuses.every(({ name, state }) =>
      name === 'main' ? state.terminated !== undefined : ago(state.running?.startedAt) > 2_000,
    )
  );
}

/** An account with the permissions of one method, so that the sweep drops all others. */
export function accountFor(emulator: Emulator, name: string, method: MethodName): KubeconfigUser {
  const reads = [
    { apiGroups: [''], resources: ['pods', 'nodes', 'namespaces'], verbs: ['get', 'list'] },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list'] },
  ];
  const rules = [...reads, ...methodNamed(method).rbac].map((rule) => ({
    apiGroups: [...rule.apiGroups],
    resources: [...rule.resources],
    verbs: [...rule.verbs],
  }));
  const token = emulator.serviceAccount({ namespace: 'default', name, rules, scope: 'Cluster' });
  return { name, token };
}
