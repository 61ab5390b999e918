import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliRun } from '../../test/kit/cli.ts';
import {
  type Emulator,
  ensureNamespace,
  ensureObject,
  type Placement,
  startEmulator,
} from '../../test/kit/emulator/index.ts';
import { runHere } from '../../test/kit/run-here.ts';

const hour = 3_600_000;

/** A pod of a Job whose work has ended an hour ago. */
interface PagePod {
  readonly namespace: string;
  readonly job: string;
  readonly suffix: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The images of its containers; `main` comes first. */
  readonly containers: Readonly<Record<string, string>>;
  /** Those of its containers that the Job's template has as well. */
  readonly template: readonly string[];
  readonly mainRuns?: true;
  readonly cronJob?: true;
}

const resources = { requests: { cpu: '250m', memory: '256Mi' } };
const work = 'registry.example.com/work:1';
const injected = { 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}' };

const pods: readonly PagePod[] = [
  {
    namespace: 'billing',
    job: 'invoice-mail',
    suffix: '44b74',
    annotations: injected,
    containers: { main: work, 'istio-proxy': 'docker.io/istio/proxyv2:1.27.0' },
    template: ['main'],
  },
  {
    namespace: 'billing',
    job: 'invoice-export',
    suffix: 'nm4cc',
    containers: { main: work, 'cloud-sql-proxy': 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.11.0' },
    template: ['main', 'cloud-sql-proxy'],
  },
  {
    namespace: 'imports',
    job: 'import-daily',
    suffix: '2ts2z',
    containers: { main: work, 'log-shipper': 'registry.example.com/log-shipper:1' },
    template: ['main', 'log-shipper'],
  },
  {
    namespace: 'reports',
    job: 'report',
    suffix: '6f5hn',
    // A near miss: Istio's release notes print the key like this.
    annotations: { ...injected, 'sidecar.istio.io/native-side': 'true' },
    containers: { main: work, 'istio-proxy': 'docker.io/istio/proxyv2:1.27.0' },
    template: ['main'],
    cronJob: true,
  },
];

/** Its kubelet knows native sidecars only behind a feature gate. */
const oldNode = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'old-1' },
  status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.28.1' } },
};

/** The cluster against which the commands on the pages run. Nothing on a page changes it. */
export class PageCluster {
  private constructor(
    private readonly emulator: Emulator,
    private readonly folder: string,
  ) {}

  static async start(): Promise<PageCluster> {
    const emulator = await startEmulator({ runtime: 'light' });
    ensureObject(emulator.world, oldNode);
    emulator.world.placePods(pods.map((pod) => placementOf(emulator, pod)));
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-pages-'));
    await writeFile(join(folder, 'kubeconfig'), emulator.kubeconfig());
    return new PageCluster(emulator, folder);
  }

  /** Runs the command as on a terminal without colours. */
  run(argv: readonly string[]): Promise<CliRun> {
    const env = { KUBECONFIG: join(this.folder, 'kubeconfig'), NO_COLOR: '1', TERM: 'xterm' };
    return runHere(argv, env, { isTTY: true, columns: 120 });
  }

  async stop(): Promise<void> {
    await this.emulator.stop();
    await rm(this.folder, { recursive: true });
  }
}

function placementOf({ world }: Emulator, pod: PagePod): Placement {
  const { namespace, job: name, suffix, annotations, containers, template, mainRuns, cronJob } = pod;
  const specOf = (names: readonly string[]) => ({
    restartPolicy: 'Never' as const,
    containers: names.map((container) => ({
      name: container,
      image: containers[container] ?? '',
      resources,
    })),
  });
  ensureNamespace(world, namespace);
  const podTemplate = { spec: specOf(template) };
  if (cronJob) {
    const spec = { schedule: '0 3 * * *', jobTemplate: { spec: { template: podTemplate } } };
    const metadata = { name, namespace, uid: 'c-1', generation: 1 };
    ensureObject(world, { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec });
  }
  const jobName = cronJob ? `${name}-29385780` : name;
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name, uid: 'c-1', controller: true };
  const job = world.createJob({
    metadata: { name: jobName, namespace, ...(cronJob && { ownerReferences: [owner] }) },
    spec: { template: podTemplate },
  });
  const [main = '', ...sidecars] = Object.keys(containers);
  const startedAt = new Date(Date.now() - 2 * hour);
  const running = { kind: 'running', startedAt } as const;
  const ended = { kind: 'terminated', exitCode: 0, finishedAt: new Date(Date.now() - hour) } as const;
  return {
    manifest: {
      metadata: {
        name: `${jobName}-${suffix}`,
        namespace,
        labels: { ...job.spec.template.metadata?.labels },
        annotations: { ...annotations },
        ownerReferences: [
          { apiVersion: 'batch/v1', kind: 'Job', name: jobName, uid: job.metadata.uid, controller: true },
        ],
        finalizers: ['batch.kubernetes.io/job-tracking'],
      },
      spec: specOf(Object.keys(containers)),
    },
    states: {
      [main]: mainRuns ? running : ended,
      ...Object.fromEntries(sidecars.map((sidecar) => [sidecar, running])),
    },
  };
}
