import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { emulatorClock, ensureNamespace } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import type { Holding } from './many-sweeps.ts';
import { tally } from './tally.ts';

const times = 1_000;
const every = 200;
/** How much faster than real time the cluster and the sweeps run. */
const speed = 100;

const cluster = startedOnce(() => TestCluster.start([], { clock: emulatorClock(speed) }));
const held: Holding[] = [];

beforeAll(async () => {
  const { world, faults } = cluster.emulator;
  ensureNamespace(world, 'demo');
  // Each sweep finds another pod that it ends, another that it cannot end, and now and then a server that fails.
  let listed = 0;
  faults.add(
    // Only the list that finds pods; others watch what becomes of them.
    { verb: 'list', resource: 'pods', when: ({ path }) => path.includes('resourceVersion=0') },
    {
      kind: 'Before',
      run() {
        const before = ['clean', 'immune'].map((name) => `${name}-${listed}`);
        for (const name of before) {
          if (world.store.get('pods', 'demo', name)) world.store.delete('pods', 'demo', name);
        }
        listed++;
        world.placePods([
          stuckPod({ name: `clean-${listed}` }),
          stuckPod({ name: `immune-${listed}`, sidecar: sidecars.immune }),
        ]);
      },
    },
  );
  let requests = 0;
  const when = () => ++requests % 50 === 0;
  faults.add({ resource: 'pods', when }, { kind: 'Drop' });
  faults.add({ resource: 'pods', when }, { kind: 'Answer', status: 503, body: {} });
  await sweepAgainAndAgain(await cluster.kubeconfig());
});

async function sweepAgainAndAgain(kubeconfig: string): Promise<void> {
  const file = fileURLToPath(new URL('many-sweeps.ts', import.meta.url));
  const argv = ['--expose-gc', '--import', 'tsx', file, kubeconfig, `${times}`, `${every}`, `${speed}`];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaint = text(child.stderr);
  for await (const line of createInterface({ input: child.stdout })) held.push(JSON.parse(line));
  expect(await complaint).toBe('');
}

describe(`E4: ${times} sweeps in one process`, () => {
  it('all of them sweep', () => {
    expect(held.map(({ sweeps }) => sweeps)).toEqual([0, 200, 400, 600, 800, 1_000]);
    expect(held.at(-1)?.ended).toBeGreaterThan(0.9 * times);
  });

  it('leave no socket, timer or listener behind', () => {
    const [first] = held;
    const left = held.filter(
      ({ resources, listeners }) =>
        JSON.stringify([resources, listeners]) !== JSON.stringify([first?.resources, first?.listeners]),
    );
    const warnings = held.at(-1)?.warnings ?? [];
    tally('leaks', 'E4', left.length + warnings.length);
    expect(left).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('leave a heap that does not grow', () => {
    const heaps = held.slice(1).map(({ heapMiB }) => heapMiB);
    // The first sweeps compile code and fill caches. This is less than 4 KiB for each of the others.
    const grown = (heaps.at(-1) ?? Number.NaN) - (heaps[0] ?? 0);
    const leaks = grown < 3 ? 0 : 1;
    tally('leaks', 'E4', leaks);
    expect(grown, heaps.join(', ')).toBeLessThan(3);
    tally('sweeps', 'E4', times);
  });
});
