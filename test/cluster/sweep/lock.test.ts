import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { jsonLines, policyFlag } from '../../kit/cli.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const namespace = 'sidecar-sweeper';
const cluster = TestCluster.startedOnce();
beforeAll(async () => {
  ensureNamespace(cluster.emulator.world, namespace);
  ensureNamespace(cluster.emulator.world, 'nothing');
});
beforeEach(() => {
  const { store } = cluster.emulator.world;
  for (const { metadata } of store.list('leases')) {
    store.delete('leases', metadata.namespace, metadata.name);
  }
});

function leaseOf(name = 'sidecar-sweeper'): Readonly<Record<string, unknown>> | undefined {
  const lease = cluster.emulator.world.store.get('leases', namespace, name);
  return lease && (lease['spec'] as Readonly<Record<string, unknown>>);
}

it('two sweeps at once do not overlap: the second logs the holder, reads no pod and exits 0', async () => {
  cluster.emulator.world.placePods([
    stuckPod({ name: 'slow', namespace: 'apart', sidecar: sidecars.stubborn, grace: 60 }),
  ]);
  let stop: () => void = () => undefined;
  const first = cluster.sweep(['-n', 'apart'], {
    env: { POD_NAMESPACE: namespace, POD_NAME: 'first' },
    onStart: (child) => {
      stop = () => child.kill('SIGTERM');
    },
  });
  await vi.waitFor(() => expect(leaseOf()).toMatchObject({ leaseDurationSeconds: 60 }), 60_000);
  const second = await cluster.runHere(['-n', 'empty']);
  stop();

  expect(second.exitCode).toBe(0);
  expect(second.stdout).toBe('');
  expect(jsonLines(second.stderr)).toMatchObject([
    { event: 'LockOccupied', holder: expect.stringMatching(/^first_/) },
  ]);
  expect(cluster.emulator.requests.some((request) => request.namespace === 'empty')).toBe(false);
  expect((await first).report.run.stoppedEarly).toBe('Signal');
  expect(leaseOf(), 'given back').toMatchObject({ holderIdentity: '' });
});

it('a lease is given back after the last write, be it an Event', async () => {
  ensureNamespace(cluster.emulator.world, 'told');
  cluster.emulator.world.placePods([stuckPod({ namespace: 'told' })]);
  const before = cluster.emulator.requests.length;
  await cluster.sweepHere(['-n', 'told', '--lock', namespace, ...policyFlag({ events: true })]);
  const writes = cluster.emulator.requests
    .slice(before)
    .filter(({ verb, resource }) => verb !== 'get' && /^(?:events|leases)$/.test(resource))
    .map(({ verb, resource }) => `${verb} ${resource}`);
  const [event] = cluster.emulator.world.store.list('events', 'told');
  const message = expect.stringContaining('sidecar stopped, exit code 0; pod Succeeded. To keep');
  expect(event).toMatchObject({ involvedObject: { name: 'stuck' }, reason: 'SidecarStopped', message });
  expect(writes.at(-1)).toBe('update leases');
  expect(leaseOf()).toMatchObject({ holderIdentity: '' });
});

it('without a lease a missing namespace is ignored unless --lock named it', async () => {
  const env = { POD_NAMESPACE: 'nosuch', POD_NAME: 'first' };
  const { report } = await cluster.sweepHere(['-n', 'nothing'], { env });
  expect(report.warnings).toEqual([]);
  const named = await cluster.sweepHere(['-n', 'nothing', '--lock', 'nosuch']);
  expect(named.report.warnings).toMatchObject([{ kind: 'Unlocked' }]);
});
