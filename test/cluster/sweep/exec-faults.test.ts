import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import type { FaultAction, LightBehaviour } from '../../kit/emulator/index.ts';
import { FastSweeps } from '../../kit/fast-sweeps.ts';
import { podOutcome, sidecarOutcome, sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

/** Gives each test its own cluster, so that they wait for grace periods in parallel. */
async function withCluster(
  sidecar: LightBehaviour,
  test: (cluster: TestCluster) => Promise<void>,
): Promise<void> {
  const cluster = await TestCluster.start([stuckPod({ sidecar })]);
  try {
    await test(cluster);
  } finally {
    await cluster.stop();
  }
}

const exec = { verb: 'get', resource: 'pods', subresource: 'exec' };
const close = { kind: 'Close' } as const;
const frame = (channel: number, text = '') => Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);

/** Faults of a connection. The command does not run in any of these cases. */
const oddities: readonly (readonly [string, FaultAction, string])[] = [
  ['closes at once', { kind: 'Frames', frames: [], end: close }, 'Unconfirmed'],
  ['drops', { kind: 'Frames', frames: [], end: { kind: 'Terminate' } }, 'Unconfirmed'],
  ['says nothing and stays open', { kind: 'Frames', frames: [], end: { kind: 'StayOpen' } }, 'Unconfirmed'],
  ['never answers the upgrade', { kind: 'NeverAnswer' }, 'Undelivered'],
  ['drops before the upgrade', { kind: 'Drop' }, 'Unopened'],
  ['sends an empty frame', { kind: 'Frames', frames: [Buffer.alloc(0)], end: close }, 'Unconfirmed'],
  ['sends the close channel', { kind: 'Frames', frames: [frame(255, '\x01')], end: close }, 'Unconfirmed'],
  ['sends an unknown channel', { kind: 'Frames', frames: [frame(9, 'x')], end: close }, 'Unconfirmed'],
  ['sends text frames', { kind: 'Frames', frames: ['hello'], end: close }, 'Unconfirmed'],
  ['sends a malformed status', { kind: 'Frames', frames: [frame(3, '[]')], end: close }, 'Unconfirmed'],
  [
    'sends a status that is not JSON',
    { kind: 'Frames', frames: [frame(3, '<html>')], end: close },
    'Unconfirmed',
  ],
  [
    'sends more than a megabyte',
    { kind: 'Frames', frames: [Buffer.alloc(2 ** 21, 1)], end: close },
    'Unconfirmed',
  ],
  ['answers 500', { kind: 'Answer', status: 500, body: 'oops' }, 'Undelivered'],
  ['answers 503 in HTML', { kind: 'Answer', status: 503, body: '<html>busy</html>' }, 'Unopened'],
  ['answers 503 by a Status', { kind: 'Answer', status: 503, body: { kind: 'Status' } }, 'Busy'],
];

describe.concurrent('an exec whose connection', () => {
  it.each(oddities)('%s is never a proof: the pod’s status decides', async (_what, action, result) => {
    const cluster = await FastSweeps.start({}, 2_000);
    cluster.emulator.world.placePods([stuckPod()]);
    cluster.emulator.faults.add(exec, action);
    const report = await cluster.sweep('demo', ['delete']);
    const { requests } = cluster.emulator;
    await cluster.stop();
    const [container] = report.pods[0]?.containers.filter(({ role }) => role === 'Sidecar') ?? [];
    const told = result === 'Unopened' ? { kind: 'Unconfirmed', unopened: true } : { kind: result };
    const attempt = { does: 'signal TERM', result: told };
    if (told.kind === 'Unconfirmed') {
      // Once more if it may have arrived, thrice if most likely it has not.
      const attempts = Array.from({ length: result === 'Unopened' ? 4 : 2 }, () => attempt);
      expect(container).toMatchObject({ attempts, outcome: { kind: 'Unproven' } });
      expect(podOutcome(report)).toMatchObject({ kind: 'Unproven' });
    } else {
      const because = { kind: 'Undelivered' };
      expect(container).toMatchObject({ attempts: [attempt], outcome: { kind: 'StillRunning', because } });
      expect(podOutcome(report)).toEqual({ kind: 'Stuck' });
    }
    expect(requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
    expect(exitCodeOf(report)).toBe(4);
  });

  it.each(oddities)('%s, but only once, does not keep the sidecar from ending', async (_what, action) => {
    const cluster = await FastSweeps.start({}, 2_000);
    cluster.emulator.world.placePods([stuckPod()]);
    cluster.emulator.faults.add(exec, action, { times: 1 });
    const report = await cluster.sweep('demo', ['delete']);
    await cluster.stop();
    expect(sidecarOutcome(report)).toEqual({ kind: 'Stopped', exitCode: 0 });
  });

  it('reports success for a command without effect is not believed', () =>
    withCluster(sidecars.stubborn, async (cluster) => {
      const { report } = await cluster.sweep();
      const attempts = report.pods[0]?.containers.flatMap((container) =>
        container.role === 'Sidecar' ? container.attempts.map(({ result }) => result.kind) : [],
      );
      expect(attempts).toEqual(['Accepted', 'Immune']);
      expect(sidecarOutcome(report)).toEqual({ kind: 'StillRunning', because: { kind: 'Outlived' } });
    }));

  it('dies with the container it ended is still a success', () =>
    withCluster(sidecars.clean, async (cluster) => {
      const died = {
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: '137' }] },
      };
      const { world } = cluster.emulator;
      cluster.emulator.faults.add(exec, {
        kind: 'Before',
        run: () => {
          const uid = world.store.get('pods', 'demo', 'stuck')?.metadata.uid ?? '';
          world.kubelet.running(uid, 'sidecar')?.kill('SIGTERM');
        },
      });
      cluster.emulator.faults.add(exec, {
        kind: 'Frames',
        frames: [frame(1), frame(3, JSON.stringify(died))],
        end: close,
      });
      const { run, report } = await cluster.sweep();
      expect(sidecarOutcome(report)).toEqual({ kind: 'Stopped', exitCode: 0 });
      expect(podOutcome(report)).toMatchObject({ kind: 'Ended', phase: 'Succeeded' });
      expect(run.exitCode).toBe(0);
    }));
});
