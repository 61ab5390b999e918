import type { CliRun } from '../../test/kit/cli.ts';
import { ensureNamespace, type Placement, type World } from '../../test/kit/emulator/index.ts';
import { runHere } from '../../test/kit/run-here.ts';
import { ownedBy, TestCluster } from '../../test/kit/stuck-pods.ts';

const hour = 3_600_000;
const resources = { requests: { cpu: '250m', memory: '256Mi' } };

/** Pods of Jobs whose work has ended an hour ago: their names, and the images of their sidecars. */
const stuck = [
  ['invoice-mail', '44b74', 'istio-proxy', 'docker.io/istio/proxyv2:1.27.0'],
  ['invoice-export', 'nm4cc', 'cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.11.0'],
] as const;

/** The cluster against which the commands on the pages run. Nothing on a page changes it. */
export class PageCluster {
  private constructor(private readonly cluster: TestCluster) {}

  static async start(): Promise<PageCluster> {
    const cluster = await TestCluster.start();
    const { world } = cluster.emulator;
    world.placePods(stuck.map((pod) => placementOf(world, pod)));
    return new PageCluster(cluster);
  }

  /** Runs the command as on a terminal without colours. */
  async run(argv: readonly string[]): Promise<CliRun> {
    const env = { KUBECONFIG: await this.cluster.kubeconfig(), NO_COLOR: '1', TERM: 'xterm' };
    return runHere(argv, env, { isTTY: true, columns: 120 });
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}

function placementOf(world: World, [name, suffix, sidecar, image]: (typeof stuck)[number]): Placement {
  const namespace = 'billing';
  ensureNamespace(world, namespace);
  const spec = {
    restartPolicy: 'Never' as const,
    containers: [
      { name: 'main', image: 'registry.example.com/work:1', resources },
      { name: sidecar, image, resources },
    ],
  };
  const job = world.createJob({ metadata: { name, namespace }, spec: { template: { spec } } });
  return {
    manifest: {
      metadata: {
        name: `${name}-${suffix}`,
        namespace,
        labels: { ...job.spec.template.metadata?.labels },
        ...ownedBy('Job', name, job.metadata.uid),
        finalizers: ['batch.kubernetes.io/job-tracking'],
      },
      spec,
    },
    states: {
      main: { kind: 'terminated', exitCode: 0, finishedAt: new Date(Date.now() - hour) },
      [sidecar]: { kind: 'running', startedAt: new Date(Date.now() - 2 * hour) },
    },
  };
}
