import { writeFileSync } from 'node:fs';
import type { SweepReport } from '../../../src/report/schema.ts';
import { type CliRun, reportsIn, runCli } from '../../kit/cli.ts';
import {
  BEHAVIOUR_ANNOTATION,
  type Emulator,
  ensureNamespace,
  ensureObject,
} from '../../kit/emulator/index.ts';
import { podsOfJob } from '../../kit/stuck-jobs.ts';
import { container, sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { containerIn, find, type Manifest } from './render.ts';

interface Ran {
  readonly run: CliRun;
  readonly report: SweepReport;
}

const noopImage = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const account = { namespace: 'sidecar-sweeper', name: 'sidecar-sweeper' };

/** A light cluster with an overlay, and three stuck pods that end in three ways. */
export class Installation {
  private constructor(
    private readonly cluster: TestCluster,
    private readonly objects: readonly Manifest[],
  ) {}

  static async start(objects: readonly Manifest[]): Promise<Installation> {
    const cluster = await TestCluster.start([], {
      behaviours: (_pod, { image }) => (image === noopImage ? { ends: { exitCode: 0 } } : undefined),
    });
    const { world } = cluster.emulator;
    for (const name of ['team-a', 'team-b']) ensureNamespace(world, name);
    for (const object of objects) ensureObject(world, object);
    return new Installation(cluster, objects);
  }

  get emulator(): Emulator {
    return this.cluster.emulator;
  }

  /** `injected` ends on a signal, `quits` only by its HTTP endpoint, `immune` only with an image swap. */
  placeStuckPods(namespace: string): void {
    const { world } = this.emulator;
    const pod = { name: 'injected-0', annotations: { 'sidecar-sweeper.dev/sidecars': '' } };
    const proxy = container('istio-proxy', { image: 'docker.io/istio/proxyv2:1.24.0' });
    const quit = { shell: false, quit: { port: 15_020, path: '/quitquitquit', exitCode: 0 } };
    world.placePods([
      ...podsOfJob(world, { namespace, name: 'injected', injected: 'sidecar', pod }),
      stuckPod({
        name: 'quits',
        namespace,
        annotations: {
          'sidecar-sweeper.dev/sidecars': 'istio-proxy',
          [BEHAVIOUR_ANNOTATION]: JSON.stringify({ 'istio-proxy': quit }),
        },
        spec: { containers: [container('main'), proxy] },
      }),
      stuckPod({ name: 'immune', namespace, sidecar: sidecars.immune }),
    ]);
  }

  /** Runs the args and the environment of the CronJob as its service account. */
  async runJob(): Promise<Ran> {
    const { args, env } = containerIn(this.objects);
    const token = this.emulator.serviceAccount(account);
    const kubeconfig = await this.cluster.kubeconfig({ name: 'sidecar-sweeper', token });
    const policy = `${kubeconfig}-policy.yaml`;
    const written: string = Object(find(this.objects, 'ConfigMap')).data['policy.yaml'];
    // Without `get pods`, no step is sent for as long as its grace.
    const shorter = `${written}\nmaxGrace: 20s\n`;
    writeFileSync(policy, shorter.replace('/dev/termination-log', `${kubeconfig}-termination-log`));
    const environment = environmentOf(env);
    const words = args.map((arg: string) =>
      arg
        .replace(/\$\((\w+)\)/g, (word, name) => environment[name] ?? word)
        .replace('/etc/sidecar-sweeper/policy.yaml', policy),
    );
    // Only so is `injected`, whose exit code is unknown, sent a signal.
    const more = { ...environment, KUBECONFIG: kubeconfig };
    const run = await runCli([...words, '--unclean-exit=allow'], { env: more });
    const [report] = (await reportsIn(run.stdout)).reports;
    if (!report) throw new Error(`there is no report: ${run.stderr}`);
    return { run, report };
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
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
