import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { jsonLines } from '../../kit/cli.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { runHere } from '../../kit/run-here.ts';
import { temporaryFolder } from '../../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const names = Array.from({ length: 40 }, (_, index) => `stuck-${index}`);
const cluster = TestCluster.startedOnce(names.map((name) => stuckPod({ name })));
const folder = temporaryFolder('shards');
const namespace = 'sidecar-sweeper';
beforeAll(() => ensureNamespace(cluster.emulator.world, namespace));

const lease = () => cluster.emulator.world.store.get('leases', namespace, namespace);

describe('three shards at once', () => {
  it('share a Lease, end every sidecar once, and their reports merge into one', async () => {
    const lock = ['--lock', namespace];
    const runs = await Promise.all([
      cluster.runHere(['--shards', '3', ...lock], { env: { JOB_COMPLETION_INDEX: '0' } }),
      cluster.runHere(['--shards', '3', ...lock], { env: { JOB_COMPLETION_INDEX: '1' } }),
      cluster.runHere(['--shard', '2/3', ...lock]),
    ]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    const files = await Promise.all(
      runs.map(async ({ stdout, stderr }, index) => {
        const file = join(folder, `shard-${index}.log`);
        // Like the log of a pod, with both stdout and stderr.
        await writeFile(file, stderr + stdout);
        return file;
      }),
    );

    const merged = await runHere(['report', 'merge', ...files, '-o', 'json']);
    expect(merged).toMatchObject({ exitCode: 0, stderr: '' });
    const report = JSON.parse(merged.stdout);
    expect(report.totals).toMatchObject({
      listed: names.length,
      otherShards: 0,
      candidates: names.length,
      sidecars: { Stopped: names.length },
    });
    expect(report.pods.map(({ name }: { name: string }) => name)).toEqual([...names].sort());
    const execs = cluster.emulator.requests.filter(({ subresource }) => subresource === 'exec');
    expect(execs.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(lease()?.['spec']).toMatchObject({ holderIdentity: '' });
  });
});

describe('beside shard 1 of 3', () => {
  let first: ChildProcess | undefined;
  let firstRun: Promise<unknown>;

  beforeAll(async () => {
    for (const each of ['slow', 'nothing']) ensureNamespace(cluster.emulator.world, each);
    const slow = { namespace: 'slow', sidecar: sidecars.stubborn, grace: 600 };
    // So many that each shard has some.
    cluster.emulator.world.placePods(names.map((name) => stuckPod({ ...slow, name })));
    firstRun = cluster.run(['--shard', '1/3', '-n', 'slow'], {
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

  function shards(): readonly string[] {
    const written = lease()?.metadata.annotations?.['sidecar-sweeper.dev/shards'];
    return Object.keys(JSON.parse(written ?? '{}'));
  }

  /** Sweeps a namespace without pods: the holder that kept it out, if one did. */
  async function keptOutBy(...argv: readonly string[]): Promise<string | undefined> {
    const { exitCode, stderr } = await cluster.runHere(['-n', 'nothing', '--lock', namespace, ...argv]);
    expect(exitCode).toBe(0);
    const logged = jsonLines(stderr);
    return logged.find(({ event }) => event === 'LockOccupied')?.holder;
  }

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
