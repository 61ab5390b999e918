import { describe, expect, it } from 'vitest';
import { ensureNamespace, type FaultAction } from '../../kit/emulator/index.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { podOutcome, sidecarOutcome, stuckPod } from '../../kit/stuck-pods.ts';

describe('a status that lags', () => {
  const died = { reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message: '137' }] } };
  const last = Buffer.from(`\x03${JSON.stringify({ status: 'Failure', ...died })}`);
  /** What an exec is answered by a node on which its container has ended. */
  const answers: readonly (readonly [says: string, FaultAction])[] = [
    ['container not found', { kind: 'Answer', status: 500, body: 'container not found ("sidecar")' }],
    ['137', { kind: 'Frames', frames: [last], end: { kind: 'Close' } }],
  ];

  /** Sweeps a cluster whose kubelet tells of the end of a container so many milliseconds late. */
  async function lagging(milliseconds: number, answer: FaultAction) {
    const cluster = await SimulatedCluster.start({ lag: milliseconds });
    const { world, requests, faults } = cluster.emulator;
    world.placePods([stuckPod({ grace: 2 })]);
    faults.add({ subresource: 'exec' }, answer, { skip: 1 });
    const report = await cluster.sweepIn('demo', { lastResort: ['delete'] });
    await cluster.stop();
    expect(requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
    return report;
  }

  it.each(answers)('is waited for, if the next step is answered %s', async (_says, answer) => {
    const report = await lagging(10_000, answer);
    expect(sidecarOutcome(report)).toEqual({ kind: 'Stopped', exitCode: 0 });
  });

  it.each(answers)('for longer than that proves nothing: %s', async (says, answer) => {
    const report = await lagging(600_000, answer);
    const problem = expect.stringContaining(says);
    expect(sidecarOutcome(report)).toEqual({ kind: 'Unproven', problem });
    expect(podOutcome(report)).toEqual({ kind: 'Unproven', problem });
  });
});

it('nothing is sent to a namespace that opts out while the question is open', async () => {
  const cluster = await SimulatedCluster.start();
  const { world, requests } = cluster.emulator;
  ensureNamespace(world, 'demo');
  world.placePods(['one', 'two'].map((name) => stuckPod({ name })));
  let before = 0;
  const confirm = async () => {
    world.store.update('namespaces', undefined, 'demo', (one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { 'sidecar-sweeper.dev/skip': 'true' } },
    }));
    await cluster.simulation.pass(60_000);
    before = requests.length;
    return true;
  };
  const report = await cluster.sweepIn('demo', { namespaces: [] }, undefined, { confirm });
  await cluster.stop();
  const because = [expect.objectContaining({ kind: 'NamespaceOptedOut' })];
  const reason = { kind: 'NoLongerCandidate', because };
  for (const name of ['one', 'two']) expect(podOutcome(report, name)).toEqual({ kind: 'Skipped', reason });
  const asked = requests.slice(before).filter(({ resource }) => resource === 'namespaces');
  expect(asked.length).toBe(1);
});
