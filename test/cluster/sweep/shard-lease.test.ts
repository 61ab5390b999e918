import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { jsonLines } from '../../kit/cli.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const namespace = 'sidecar-sweeper';
const annotation = 'sidecar-sweeper.dev/shards';
const cluster = startedOnce(() => {
  // So many that each shard has some.
  const names = Array.from({ length: 30 }, (_, index) => `slow-${index}`);
  return TestCluster.start(names.map((name) => stuckPod({ name, sidecar: sidecars.stubborn, grace: 600 })));
});
let first: ChildProcess | undefined;
let firstRun: Promise<unknown>;

beforeAll(async () => {
  for (const each of [namespace, 'nothing']) ensureNamespace(cluster.emulator.world, each);
  firstRun = cluster.run(['--shard', '1/3', '-n', 'demo'], {
    env: { POD_NAMESPACE: namespace, POD_NAME: 'first' },
    onStart: (child) => {
      first = child;
    },
  });
  await vi.waitFor(() => expect(shards()).toEqual(['1']), 120_000);
});
afterAll(async () => {
  first?.kill('SIGKILL');
  await firstRun;
});

const lease = () => cluster.emulator.world.store.get('leases', namespace, 'sidecar-sweeper');

function shards(): readonly string[] {
  return Object.keys(JSON.parse(lease()?.metadata.annotations?.[annotation] ?? '{}'));
}

/** Sweeps a namespace without pods: the holder that kept it out, if one did. */
async function keptOutBy(...argv: readonly string[]): Promise<string | undefined> {
  const { exitCode, stderr } = await cluster.runHere(['-n', 'nothing', '--lock', namespace, ...argv]);
  expect(exitCode).toBe(0);
  const logged = jsonLines(stderr);
  return logged.find(({ event }) => event === 'LockOccupied')?.holder;
}

describe('beside shard 1 of 3', () => {
  it.each([
    ['a whole sweep', []],
    ['a shard of another number', ['--shard', '2/4']],
    ['the same shard', ['--shard', '1/3']],
  ])('%s stays out', async (_title, argv) => {
    expect(await keptOutBy(...argv)).toMatch(/^first_\S+ \(one of 3 shards\)$/);
    expect(shards()).toEqual(['1']);
  });

  it('another shard of 3 sweeps, and gives back its own part alone', async () => {
    expect(await keptOutBy('--shard', '0/3')).toBeUndefined();
    expect(shards()).toEqual(['1']);
    expect(lease()?.['spec']).toMatchObject({ holderIdentity: '3 shards' });
  });
});
