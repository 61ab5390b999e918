import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from './emulated-cluster.ts';
import type { Filling } from './pods.ts';
import { type Server, startServer } from './server.ts';

/** How a client reaches the cluster. */
export interface Place {
  readonly access: Access;
  readonly kubeconfigFile: string;
}

export interface Emulated {
  readonly server: Server;
  /** Puts a new cluster with these pods in the place of the last one. */
  fill(filling: Filling): Promise<Place>;
}

/** Starts an emulator, and stops it when the work is done. */
export async function withEmulator<T>(use: (emulated: Emulated) => Promise<T>): Promise<T> {
  const server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-bench-'));
  try {
    return await use({
      server,
      async fill(filling) {
        const access = await server.fill(filling);
        const kubeconfigFile = join(folder, 'kubeconfig');
        await writeFile(kubeconfigFile, access.kubeconfig);
        return { access, kubeconfigFile };
      },
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}
