import { setTimeout } from 'node:timers/promises';
import { BatchV1Api, CoreV1Api, KubeConfig, type V1Job, type V1Pod } from '@kubernetes/client-node';
import type { SweepReport } from '../../../src/report/schema.ts';
import { policyFlag } from '../policy-flag.ts';
import { runHere } from '../run-here.ts';
import { type Images, isStuck, manifestOf, type StuckJob } from './jobs.ts';

const listed = { 'sidecar-sweeper.dev/sidecars': 'sidecar' };

/** Where scenarios play: the emulator, or a real cluster. */
export interface Site {
  readonly config: KubeConfig;
  readonly kubeconfig: string;
  readonly images: Images;
}

/** What client-node reads from a kubeconfig. */
export function clientOf(kubeconfig: string, context?: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}

interface SweepOptions {
  readonly flags?: readonly string[];
  /** Fields of a SweepPolicy. */
  readonly policy?: object;
}

/** A namespace of a site, and what a scenario does and sees in it. */
export class Stage {
  readonly core: CoreV1Api;
  readonly batch: BatchV1Api;
  /** What has to be removed besides the namespace. */
  readonly #removals: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly site: Site,
    readonly namespace: string,
  ) {
    this.core = site.config.makeApiClient(CoreV1Api);
    this.batch = site.config.makeApiClient(BatchV1Api);
  }

  /** Plays in a namespace that is created before and deleted after. */
  static async play(site: Site, act: (stage: Stage) => Promise<void>): Promise<void> {
    const namespace = `sidecar-sweeper-e2e-${Math.random().toString(36).slice(2, 9)}`;
    const stage = new Stage(site, namespace);
    try {
      await stage.core.createNamespace({ body: { metadata: { name: namespace } } });
      await act(stage);
    } finally {
      for (const remove of stage.#removals.toReversed()) await remove();
      await stage.core.deleteNamespace({ name: namespace });
    }
  }

  get images(): Images {
    return this.site.images;
  }

  /** The policy that permits swaps: the no-op image runs to its end in containers that do not name a command. */
  get swapping(): object {
    return { imageSwap: { image: this.images.noop, commands: 'shipped' } };
  }

  removeLater(remove: () => Promise<unknown>): void {
    this.#removals.push(remove);
  }

  /** Creates Jobs, and waits until all of their pods are stuck. */
  async stuck(...jobs: readonly StuckJob[]): Promise<void> {
    for (const job of jobs) {
      await this.batch.createNamespacedJob({
        namespace: this.namespace,
        body: manifestOf({ ...job, annotations: { ...listed, ...job.annotations } }, this.images),
      });
    }
    await this.until(`the pods of ${jobs.map(({ name }) => name).join(', ')} to be stuck`, async () => {
      const counts = await Promise.all(
        jobs.map(async ({ name }) => (await this.pods(name)).filter(isStuck).length),
      );
      return counts.every((count, index) => count === (jobs[index]?.job?.parallelism ?? 1));
    });
    // Shells run for a moment before they trap signals.
    await setTimeout(1_000);
  }

  async sweep({ flags = [], policy }: SweepOptions = {}): Promise<SweepResult> {
    const how = [...policyFlag(policy ?? {}), '--min-age', '0s', '-o', 'json', ...flags];
    const argv = [...this.#where(), ...how];
    const { PATH = '', HOME = '' } = process.env;
    const run = await runHere(argv, { PATH, HOME });
    return new SweepResult(run.exitCode, JSON.parse(run.stdout));
  }

  /** The flags for sweeps of this namespace, which has a Lease of its own. */
  #where(): readonly string[] {
    const { namespace, site } = this;
    const context = ['--context', site.config.getCurrentContext()];
    return ['-n', namespace, '--lock', namespace, '--kubeconfig', site.kubeconfig, ...context];
  }

  /** The pods of a Job, or of all. */
  async pods(job?: string): Promise<readonly V1Pod[]> {
    const labelSelector = job === undefined ? {} : { labelSelector: `job-name=${job}` };
    return (await this.core.listNamespacedPod({ namespace: this.namespace, ...labelSelector })).items;
  }

  /** Of every container `sidecar`: how often it was restarted. */
  async restarts(): Promise<readonly number[]> {
    return (await this.pods()).flatMap(({ status }) =>
      (status?.containerStatuses ?? []).flatMap(({ name, restartCount }) =>
        name === 'sidecar' ? [restartCount] : [],
      ),
    );
  }

  async job(name: string): Promise<V1Job> {
    return this.batch.readNamespacedJob({ namespace: this.namespace, name });
  }

  /** Waits until a Job is complete or has failed; returns which. */
  async endOf(name: string): Promise<string | undefined> {
    let end: string | undefined;
    await this.until(`the Job ${name} to end`, async () => {
      const { status } = await this.job(name);
      const over = status?.conditions?.find(
        (one) => /^(Complete|Failed)$/.test(one.type) && one.status === 'True',
      );
      end = over?.type;
      return over !== undefined;
    });
    return end;
  }

  /** Waits, but not for ever. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 120_000;
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
      await setTimeout(300);
    }
  }
}

type PodReport = SweepReport['pods'][number];
type SidecarReport = Extract<PodReport['containers'][number], { readonly role: 'Sidecar' }>;

/** What a sweep of a scenario came to. */
class SweepResult {
  constructor(
    readonly exitCode: number | null,
    readonly report: SweepReport,
  ) {}

  /** The pods of a Job. */
  pods(job: string): readonly PodReport[] {
    return this.report.pods.filter(({ owner }) => owner?.name === job);
  }

  /** The only pod of a Job. */
  pod(job: string): PodReport {
    const [pod, ...more] = this.pods(job);
    if (!pod || more.length > 0) throw new Error(`${more.length + (pod ? 1 : 0)} pods of ${job} were swept`);
    return pod;
  }

  /** A sidecar of the only pod of a Job. */
  sidecar(job: string, name = 'sidecar'): SidecarReport {
    const found = this.pod(job).containers.find((one) => one.role === 'Sidecar' && one.name === name);
    if (found?.role !== 'Sidecar') throw new Error(`${job} has no sidecar ${name}`);
    return found;
  }

  methods(job: string): readonly string[] {
    return this.sidecar(job).attempts.map(({ method }) => method);
  }
}
