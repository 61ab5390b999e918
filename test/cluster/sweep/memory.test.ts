import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { stuckJob } from '../../kit/stuck-jobs.ts';
import { sidecars, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start();
  ensureNamespace(cluster.emulator.world, 'demo');
});
afterEach(() => cluster.stop());

/** Jobs whose finished pods are stuck on a sidecar that exits with 143; resolves when they are. */
async function stuckJobs(...names: readonly string[]): Promise<void> {
  const { world } = cluster.emulator;
  for (const name of names) world.createJob(stuckJob({ name, sidecar: sidecars.unclean }));
  await expect
    .poll(
      () =>
        world.store
          .list('pods', 'demo')
          .map((pod) => JSON.stringify(pod))
          .filter(isStuck).length,
      {
        timeout: 60_000,
      },
    )
    .toBe(names.length);
}

function isStuck(pod: string): boolean {
  const { status } = JSON.parse(pod);
  const [main] = status.containerStatuses ?? [];
  return status.phase === 'Running' && main?.state.terminated !== undefined;
}

function removeAll(...names: readonly string[]): void {
  for (const name of names) cluster.emulator.world.store.delete('jobs', 'demo', name);
}

function execs(): number {
  return cluster.emulator.requests.filter(({ subresource }) => subresource === 'exec').length;
}

const flags = ['-n', 'demo', '--min-age', '0s', '--lock', 'demo'];

it('an unclean canary is remembered when its pod is gone, also by another shard', async () => {
  await stuckJobs('first', 'second');
  const { report } = await cluster.sweep(flags);
  expect(report.totals.stillRunning).toEqual({ Held: 1 });
  const sent = execs();
  expect(sent).toBeGreaterThan(0);

  removeAll('first', 'second');
  await expect.poll(() => cluster.emulator.world.store.list('pods', 'demo').length).toBe(0);
  await stuckJobs('third');
  const later = await cluster.sweep([...flags, '--shard', '0/1']);
  expect(later.report.pods.map(({ outcome }) => outcome)).toEqual([
    { kind: 'Held', reason: 'EarlierUnclean' },
  ]);
  expect(execs()).toBe(sent);
}, 120_000);

it('without a Lease, a sweep knows what the cluster still shows, and no more', async () => {
  await stuckJobs('first', 'second');
  const unlocked = ['-n', 'demo', '--min-age', '0s', '--no-lock'];
  await cluster.sweep(unlocked);
  expect(cluster.emulator.world.store.list('leases')).toEqual([]);
}, 120_000);
