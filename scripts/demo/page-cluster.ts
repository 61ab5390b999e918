import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliRun } from '../../test/kit/cli.ts';
import {
  type Emulator,
  ensureNamespace,
  type Placement,
  startEmulator,
} from '../../test/kit/emulator/index.ts';
import { runHere } from '../../test/kit/run-here.ts';

const hour = 3_600_000;
const resources = { requests: { cpu: '250m', memory: '256Mi' } };

/** Pods of Jobs whose work has ended an hour ago: their names, and the images of their sidecars. */
const stuck = [
  ['invoice-mail', '44b74', 'istio-proxy', 'docker.io/istio/proxyv2:1.27.0'],
  ['invoice-export', 'nm4cc', 'cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.11.0'],
] as const;

/** The cluster against which the commands on the pages run. Nothing on a page changes it. */
export class PageCluster {
  private constructor(
    private readonly emulator: Emulator,
    private readonly folder: string,
  ) {}

  static async start(): Promise<PageCluster> {
    const emulator = await startEmulator({ runtime: 'light' });
    emulator.world.placePods(stuck.map((pod) => placementOf(emulator, pod)));
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

function placementOf({ world }: Emulator, [name, suffix, sidecar, image]: (typeof stuck)[number]): Placement {
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
        ownerReferences: [
          { apiVersion: 'batch/v1', kind: 'Job', name, uid: job.metadata.uid, controller: true },
        ],
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
