import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SweepReport } from '../../../src/report/schema.ts';
import { type CliRun, reportsIn, runCli } from '../../kit/cli.ts';
import { type Emulator, ensureNamespace, ensureObject, startEmulator } from '../../kit/emulator/index.ts';
import { podsOfJob } from '../../kit/stuck-jobs.ts';
import { container, sidecars, stuckPod } from '../../kit/stuck-pods.ts';
import { find, type Manifest } from './render.ts';

export interface Ran {
  readonly run: CliRun;
  readonly report: SweepReport;
}

type RunCommand = (argv: readonly string[], env: Readonly<Record<string, string>>) => Promise<CliRun>;

const runBundle: RunCommand = (argv, env) => runCli(argv, { env });

const noopImage = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const account = { namespace: 'sidecar-sweeper', name: 'sidecar-sweeper' };

/** A light cluster with an overlay, and three stuck pods that end in three ways. */
export class Installation {
  private constructor(
    readonly emulator: Emulator,
    private readonly objects: readonly Manifest[],
    private readonly folder: string,
  ) {}

  static async start(objects: readonly Manifest[]): Promise<Installation> {
    const emulator = await startEmulator({
      behaviours: (_pod, { image }) => (image === noopImage ? { ends: { exitCode: 0 } } : undefined),
    });
    for (const name of ['team-a', 'team-b']) ensureNamespace(emulator.world, name);
    for (const object of objects) {
      // The emulator would run a Job; `runJob` runs it instead.
      if (object.kind !== 'Job') ensureObject(emulator.world, object);
    }
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-installed-'));
    return new Installation(emulator, objects, folder);
  }

  /** `injected` ends on a signal, `quits` only by its HTTP endpoint, `immune` only with an image swap. */
  placeStuckPods(namespace: string): void {
    const { world } = this.emulator;
    const pod = { name: 'injected-0', annotations: { 'sidecar-sweeper.dev/sidecars': '' } };
    const proxy = container('istio-proxy', { image: 'docker.io/istio/proxyv2:1.24.0' });
    world.placePods([
      ...podsOfJob(world, { namespace, name: 'injected', injected: 'sidecar', pod }),
      stuckPod({
        name: 'quits',
        namespace,
        annotations: { 'sidecar-sweeper.dev/sidecars': 'istio-proxy', ...behaviour(quitsOnHttp) },
        spec: { containers: [container('main'), proxy] },
      }),
      stuckPod({ name: 'immune', namespace, sidecar: sidecars.immune }),
    ]);
  }

  leaveLease(): void {
    this.emulator.world.store.create('leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: account,
      spec: { holderIdentity: '', leaseDurationSeconds: 60 },
    });
  }

  /** Runs the Job's args and environment as its service account, with one process per completion. */
  async runJob(as: RunCommand = runBundle): Promise<readonly Ran[]> {
    const { spec } = this.#job();
    const { args, env } = spec.template.spec.containers[0];
    const indexes: readonly number[] = Array.from({ length: spec.completions ?? 1 }, (_, index) => index);
    const policy = join(this.folder, 'policy.yaml');
    const written: string = Object(find(this.objects, 'ConfigMap')).data['policy.yaml'];
    // Without `get pods`, no step is sent for as long as its grace.
    const shorter = `${written}\nmaxGrace: 20s\n`;
    await writeFile(policy, shorter.replace('/dev/termination-log', join(this.folder, 'termination-log')));
    const kubeconfig = await this.#kubeconfig();
    const environment = environmentOf(env);
    const words = args.map((arg: string) =>
      arg
        .replace(/\$\((\w+)\)/g, (word, name) => environment[name] ?? word)
        .replace('/etc/sidecar-sweeper/policy.yaml', policy),
    );
    return Promise.all(
      indexes.map(async (index) => {
        // Only so is `injected`, whose exit code is unknown, sent a signal.
        const run = await as([...words, '--unclean-exit=allow'], {
          ...environment,
          KUBECONFIG: kubeconfig,
          ...(spec.completionMode === 'Indexed' && { JOB_COMPLETION_INDEX: String(index) }),
        });
        const [report] = (await reportsIn(run.stdout)).reports;
        if (!report) throw new Error(`there is no report: ${run.stderr}`);
        return { run, report };
      }),
    );
  }

  async stop(): Promise<void> {
    await this.emulator.stop();
    await rm(this.folder, { recursive: true });
  }

  #job() {
    const job = this.objects.find(({ kind }) => kind === 'CronJob' || kind === 'Job');
    const { spec } = Object(job);
    return job?.kind === 'CronJob' ? spec.jobTemplate : { spec };
  }

  async #kubeconfig(): Promise<string> {
    const file = join(this.folder, 'kubeconfig');
    const token = this.emulator.serviceAccount(account);
    await writeFile(file, this.emulator.kubeconfig({ name: 'sidecar-sweeper', token }));
    return file;
  }
}

const quitsOnHttp = { shell: false, quit: { port: 15_020, path: '/quitquitquit', exitCode: 0 } };

function behaviour(ofProxy: object): Record<string, string> {
  return { 'emulator.sidecar-sweeper.dev/behaviour': JSON.stringify({ 'istio-proxy': ofProxy }) };
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
}

function environmentOf(env: readonly Variable[]): Record<string, string> {
  const own: Record<string, string> = { 'metadata.name': 'sweep-1', 'metadata.namespace': account.namespace };
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [name, value ?? own[valueFrom?.fieldRef.fieldPath ?? ''] ?? '']),
  );
}
