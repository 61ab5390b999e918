import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Emulator,
  emulatorClock,
  ensureNamespace,
  fillCluster,
  hostProgram,
  type Images,
  inClusterApiAvailable,
  knownImages,
  type Member,
  type Pod,
  sharedPidNamespaceAvailable,
  startEmulator,
} from './emulator/index.ts';
import { isStuck } from './random/read-pod.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Why this machine cannot run the manifests with real processes; undefined if it can. */
export function whyNotInCluster(): string | undefined {
  return sharedPidNamespaceAvailable() ?? inClusterApiAvailable();
}

/** A cluster of real processes with stuck pods and the sweeper's images. */
export class InstalledCluster {
  private constructor(
    readonly emulator: Emulator,
    private readonly folder: string,
  ) {}

  /** Starts it. Its pods have been stuck for longer than the default policy's minimum age. */
  static async start(members: readonly Member[]): Promise<InstalledCluster> {
    const clock = emulatorClock();
    const images = { ...knownImages, ...sweeperImages };
    const emulator = await startEmulator({ runtime: 'processes', clock, images });
    for (const name of ['team-a', 'team-b']) ensureNamespace(emulator.world, name);
    fillCluster(emulator, members);
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-installed-'));
    await writeFile(join(folder, 'kubeconfig'), emulator.kubeconfig());
    const cluster = new InstalledCluster(emulator, folder);
    await cluster.until(() => cluster.pods().length === members.length && cluster.pods().every(isStuck));
    clock.forward(6 * 60_000);
    return cluster;
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.folder, KUBECONFIG: join(this.folder, 'kubeconfig') };
  }

  async shell(command: string): Promise<string> {
    return (await promisify(execFile)('/bin/sh', ['-c', command], { cwd: root, env: this.env })).stdout;
  }

  pods(namespace?: string): readonly Pod[] {
    return this.emulator.world.store.list<Pod>('pods', namespace);
  }

  async until(isSo: () => boolean): Promise<void> {
    for (let round = 0; !isSo(); round++) {
      if (round > 1_200) throw new Error('the cluster did not reach the expected state within 2 minutes');
      await delay(100);
    }
  }

  async stop(): Promise<void> {
    await this.emulator.stop();
    await rm(this.folder, { recursive: true });
  }
}

const bundle = fileURLToPath(new URL('../../dist', import.meta.url));
const noop = fileURLToPath(new URL('../../images/noop.mjs', import.meta.url));
const architecture = { x64: 'amd64', arm64: 'arm64' }[String(process.arch)] ?? 'unknown';

/** The images in the manifests, with the same contents as from the Dockerfile. */
const sweeperImages: Images = {
  'registry.example.com/sidecar-sweeper:0.1.0': {
    entrypoint: ['/nodejs/bin/node', '/sidecar-sweeper/sidecar-sweeper.mjs'],
    root: () => [
      ...hostProgram('/nodejs/bin/node', process.execPath),
      { kind: 'mount', path: '/sidecar-sweeper', source: bundle },
    ],
  },
  'registry.example.com/sidecar-sweeper-noop:0.1.0': {
    entrypoint: ['/noop'],
    root: () => {
      const folder = noopRoot();
      return readdirSync(folder).map((name) => ({
        kind: 'mount' as const,
        path: `/${name}`,
        source: join(folder, name),
      }));
    },
  },
};

let made: string | undefined;

function noopRoot(): string {
  if (made === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-noop-root-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    execFileSync(process.execPath, [noop, folder, architecture]);
    made = folder;
  }
  return made;
}
