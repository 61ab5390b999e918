import { afterEach, expect, it } from 'vitest';
import type { Pod } from '../../emulator/world/objects.ts';
import { podOutcome, sidecarOutcome, sidecars, stuckPod, TestCluster } from '../stuck-pods.ts';

let cluster: TestCluster;
afterEach(() => cluster.stop());

/** Lets something happen to the pod after it was listed, just before it is read again. */
async function whenItChanges(change: (cluster: TestCluster) => void): Promise<TestCluster> {
  cluster = await TestCluster.start([stuckPod({ sidecar: sidecars.stubborn })]);
  const request = { verb: 'get', resource: 'pods', subresource: '', name: 'stuck' };
  cluster.emulator.faults.add(request, { kind: 'Before', run: () => change(cluster) }, { times: 1 });
  return cluster;
}

function execs(): number {
  return cluster.emulator.requests.filter(({ subresource }) => subresource === 'exec').length;
}

function updatePod(change: (pod: Pod) => Pod): void {
  cluster.emulator.world.store.update<Pod>('pods', 'demo', 'stuck', change);
}

it('sends nothing to a pod that another one has replaced', async () => {
  await whenItChanges(({ emulator }) => {
    emulator.world.store.delete('pods', 'demo', 'stuck');
    emulator.world.placePods([stuckPod()]);
  });
  const { run, report } = await cluster.sweep();
  expect(sidecarOutcome(report)).toMatchObject({ kind: 'Replaced' });
  expect(podOutcome(report)).toMatchObject({ kind: 'Replaced' });
  expect(execs()).toBe(0);
  expect(run.exitCode).toBe(0);
});

it('sends nothing to a pod that is gone', async () => {
  await whenItChanges(({ emulator }) => emulator.world.store.delete('pods', 'demo', 'stuck'));
  const { run, report } = await cluster.sweep();
  expect(sidecarOutcome(report)).toEqual({ kind: 'Gone' });
  expect(podOutcome(report)).toEqual({ kind: 'Gone' });
  expect(execs()).toBe(0);
  expect(run.exitCode).toBe(0);
});

it('sends nothing when a main runs again', async () => {
  await whenItChanges(() =>
    updatePod((pod) => ({
      ...pod,
      status: {
        ...pod.status,
        containerStatuses: (pod.status.containerStatuses ?? []).map((status) =>
          status.name === 'main'
            ? { ...status, state: { running: { startedAt: new Date().toISOString() } } }
            : status,
        ),
      },
    })),
  );
  const { report } = await cluster.sweep();
  expect(sidecarOutcome(report)).toEqual({
    kind: 'Skipped',
    reason: { kind: 'NoLongerCandidate', because: [{ kind: 'MainRunning', container: 'main' }] },
  });
  expect(execs()).toBe(0);
});

it('sends nothing to another instance of the container than the one it planned for', async () => {
  await whenItChanges(() =>
    updatePod((pod) => ({
      ...pod,
      status: {
        ...pod.status,
        containerStatuses: (pod.status.containerStatuses ?? []).map((status) =>
          status.name === 'sidecar'
            ? { ...status, containerID: 'containerd://another', restartCount: 1 }
            : status,
        ),
      },
    })),
  );
  const { run, report } = await cluster.sweep();
  expect(sidecarOutcome(report)).toMatchObject({ kind: 'Restarted', restartCount: 1 });
  expect(execs()).toBe(0);
  expect(run.exitCode).toBe(4);
});

it('sends nothing when the annotation that named the sidecar is taken away', async () => {
  await whenItChanges(() =>
    updatePod((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, annotations: {} },
    })),
  );
  const { report } = await cluster.sweep();
  expect(sidecarOutcome(report)).toMatchObject({ kind: 'Skipped', reason: { kind: 'NoLongerCandidate' } });
  expect(execs()).toBe(0);
});

it('stops between TERM and KILL when the pod is being deleted meanwhile', async () => {
  cluster = await TestCluster.start([stuckPod({ sidecar: sidecars.stubborn })]);
  const request = { verb: 'get', resource: 'pods', subresource: 'exec' };
  cluster.emulator.faults.add(request, {
    kind: 'Before',
    run: () =>
      updatePod((pod) => ({
        ...pod,
        metadata: { ...pod.metadata, deletionTimestamp: new Date().toISOString(), finalizers: ['test/keep'] },
      })),
  });
  await cluster.sweep();
  expect(execs()).toBe(1);
});
