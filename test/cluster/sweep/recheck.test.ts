import { afterEach, expect, it } from 'vitest';
import type { ContainerStatus, Pod } from '../../kit/emulator/index.ts';
import { podOutcome, sidecarOutcome, sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
afterEach(() => cluster.stop());

/** Changes the pod after the list, just before it is read again. */
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

function updateStatus(container: string, change: Partial<ContainerStatus>): void {
  updatePod(({ status, ...pod }) => ({
    ...pod,
    status: {
      ...status,
      containerStatuses: (status.containerStatuses ?? []).map((one) =>
        one.name === container ? { ...one, ...change } : one,
      ),
    },
  }));
}

it('sends nothing to a pod that was replaced by another one', async () => {
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

it('sends nothing to a pod that no longer exists', async () => {
  await whenItChanges(({ emulator }) => emulator.world.store.delete('pods', 'demo', 'stuck'));
  const { run, report } = await cluster.sweep();
  expect(sidecarOutcome(report)).toEqual({ kind: 'Gone' });
  expect(podOutcome(report)).toEqual({ kind: 'Gone', job: { kind: 'NoJob' } });
  expect(execs()).toBe(0);
  expect(run.exitCode).toBe(0);
});

it('sends nothing if a main container is running again', async () => {
  await whenItChanges(() =>
    updateStatus('main', { state: { running: { startedAt: new Date().toISOString() } } }),
  );
  const { report } = await cluster.sweep();
  expect(sidecarOutcome(report)).toEqual({
    kind: 'Skipped',
    reason: { kind: 'NoLongerCandidate', because: [{ kind: 'MainRunning', container: 'main' }] },
  });
  expect(execs()).toBe(0);
});

it('sends nothing to a restarted instance of the container', async () => {
  await whenItChanges(() =>
    updateStatus('sidecar', { containerID: 'containerd://another', restartCount: 1 }),
  );
  const { run, report } = await cluster.sweep();
  expect(sidecarOutcome(report)).toMatchObject({ kind: 'Restarted', restartCount: 1 });
  expect(execs()).toBe(0);
  expect(run.exitCode).toBe(4);
});

it('sends nothing if the annotation that named the sidecar was removed', async () => {
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

it('stops between TERM and KILL if the pod is being deleted', async () => {
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
