import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Where } from './part.ts';
import { type Filling, graceMs, type PodName, type SidecarKind, stuckOf } from './pods.ts';
import { type Server, startServer } from './server.ts';

export interface Emulated {
  readonly server: Server;
  fill(filling: Filling): Promise<Where>;
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
        return { access, kubeconfigFile, serverCpuMs: () => server.cpuMs() };
      },
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** A node has 110 pods at most. https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
const podsOfNode = 100;

/** Stuck pods and nothing else. A sidecar that never ends makes no difference to a Job. */
export function onlyStuck(pods: number, sidecar: SidecarKind): Filling {
  const nodes = Math.ceil(pods / podsOfNode);
  const jobs = sidecar !== 'stubborn';
  return { prefix: 'bench', namespaces: 20, nodes, pods, running: pods, stuck: pods, sidecar, jobs };
}

/** The emulator's delays, which are those of a recorded cluster. */
const untilShown = { end: 300, phase: 1_150, counted: 1_000 } as const;

/** The last pod is proved when its Job has counted it. */
const waitsForEnds = untilShown.end + untilShown.phase + untilShown.counted;

/** A pod that does not end costs its graces. */
const waitsMs: Readonly<Record<SidecarKind, number>> = {
  clean: waitsForEnds,
  slow: 2_000 + waitsForEnds,
  stubborn: graceMs.TERM + graceMs.KILL,
};

/** A cluster whose pods can be made stuck again, as often as they are swept. */
export interface Site {
  readonly pods: readonly PodName[];
  readonly sidecar: SidecarKind;
  /** Makes the pods stuck. */
  refill(): Promise<Where>;
  stillStuck(): Promise<number>;
  serverCpuMs(): Promise<number>;
  /** How long a sweep must wait, beside its requests. */
  readonly waitsMs: number;
}

export function emulatedSite({ server, fill }: Emulated, filling: Filling): Site {
  return {
    pods: stuckOf(filling),
    sidecar: filling.sidecar,
    refill: () => fill(filling),
    stillStuck: async () => (await server.outcome()).stuck,
    serverCpuMs: () => server.cpuMs(),
    waitsMs: waitsMs[filling.sidecar],
  };
}
