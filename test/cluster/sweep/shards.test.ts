import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { runHere } from '../../kit/run-here.ts';
import { startedOnce, temporaryFolder } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const names = Array.from({ length: 40 }, (_, index) => `stuck-${index}`);
const cluster = startedOnce(() => TestCluster.start(names.map((name) => stuckPod({ name }))));
const folder = temporaryFolder('shards');

describe('three shards at once', () => {
  beforeAll(() => ensureNamespace(cluster.emulator.world, 'sidecar-sweeper'));

  it('share a Lease, end every sidecar once, and their reports merge into one', async () => {
    const lock = ['--lock', 'sidecar-sweeper'];
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
    const lease = cluster.emulator.world.store.get('leases', 'sidecar-sweeper', 'sidecar-sweeper');
    expect(lease?.['spec']).toMatchObject({ holderIdentity: '' });
  });
});
