// Compares the cost of reading a pod by GET with the cost of a pod in a list; the observer uses this ratio to
// choose between them. Run with `npm run bench:reads`. The server is a separate process, so that the CPU time
// is only the client's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCluster } from '../../src/kube/cluster.ts';
import { loadConfig } from '../../src/kube/kubeconfig/config.ts';
import { startEmulator } from '../../test/kit/emulator/index.ts';
import { stuckPod } from '../../test/kit/stuck-pods.ts';

const pods = 2_000;
const rounds = 5;

if (process.send) await serve();
else await measure();

async function serve(): Promise<void> {
  const emulator = await startEmulator({ runtime: 'light' });
  emulator.world.placePods(Array.from({ length: pods }, (_, index) => stuckPod({ name: `pod-${index}` })));
  process.send?.(emulator.kubeconfig());
}

async function measure(): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv });
  const [kubeconfig] = await once(server, 'message');
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-reads-'));
  const file = join(folder, 'kubeconfig');
  await writeFile(file, String(kubeconfig));
  const cluster = await openCluster(loadConfig({ kubeconfig: file, env: {} }), 60_000);
  await rm(folder, { recursive: true });
  const { signal: abort } = new AbortController();
  const scope = { namespaces: [], labelSelector: undefined };

  for (let round = 0; round <= rounds; round++) {
    const refs: Parameters<typeof cluster.readPod>[0][] = [];
    const list = await costOf(async () => {
      for await (const part of cluster.listPods(scope, abort)) {
        if (part.kind === 'Page') refs.push(...part.pods.map(({ ref }) => ref));
      }
    });
    const some = refs.slice(0, 500);
    const get = await costOf(async () => {
      for (let index = 0; index < some.length; index += 20) {
        await Promise.all(some.slice(index, index + 20).map((ref) => cluster.readPod(ref, abort)));
      }
    });
    // The first round is a warm-up.
    if (round === 0) continue;
    const perListed = { cpu: list.cpu / refs.length, wall: list.wall / refs.length };
    const perGet = { cpu: get.cpu / some.length, wall: get.wall / some.length };
    console.log(
      `CPU per pod: list ${perListed.cpu.toFixed(0)} µs, GET ${perGet.cpu.toFixed(0)} µs, ratio ${(perGet.cpu / perListed.cpu).toFixed(1)}; ` +
        `wall: list ${perListed.wall.toFixed(0)} µs, GET ${perGet.wall.toFixed(0)} µs, ratio ${(perGet.wall / perListed.wall).toFixed(1)}`,
    );
  }
  await cluster.close();
  server.kill();
}

/** Times in microseconds. */
async function costOf(work: () => Promise<void>): Promise<{ readonly cpu: number; readonly wall: number }> {
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpu: user + system, wall: (performance.now() - began) * 1000 };
}
