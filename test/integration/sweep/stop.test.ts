import { afterEach, expect, it } from 'vitest';
import { sidecars, stuckPod, TestCluster } from '../stuck-pods.ts';

let cluster: TestCluster;
afterEach(() => cluster.stop());

const size = 40;

async function stubbornCluster(): Promise<void> {
  const pods = Array.from({ length: size }, (_, index) =>
    stuckPod({ name: `pod-${index}`, sidecar: sidecars.stubborn, grace: 60 }),
  );
  cluster = await TestCluster.start(pods);
}

it('--deadline cuts waits short, and the report has an outcome for every pod', async () => {
  await stubbornCluster();
  const { run, report } = await cluster.sweep(['--deadline', '2s']);
  expect(run.exitCode).toBe(5);
  expect(report.run.stoppedEarly).toBe('Deadline');
  expect(report.pods.length).toBe(size);
  expect(report.totals.sidecars).toEqual({ StillRunning: size });
  expect(report.run.durationMs).toBeLessThan(7_000);
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s during execs ends the sweep with a complete report',
  async (signal) => {
    await stubbornCluster();
    const { faults } = cluster.emulator;
    let kill: () => void = () => undefined;
    faults.add({ subresource: 'exec' }, { kind: 'Before', run: () => kill() }, { skip: 5, times: 1 });
    const { run, report } = await cluster.sweep(['--concurrency', '1'], {
      onStart: (child) => {
        kill = () => child.kill(signal);
      },
    });
    expect(run.exitCode).toBe(5);
    expect(report.run.stoppedEarly).toBe('Signal');
    expect(report.pods.length).toBe(size);
    const { StillRunning: reached = 0, NotAttempted: notAttempted = 0 } = report.totals.sidecars;
    expect(reached).toBeGreaterThanOrEqual(6);
    expect(notAttempted).toBeGreaterThan(0);
    expect(reached + notAttempted).toBe(size);
  },
);

it('a second signal exits at once', async () => {
  await stubbornCluster();
  const { faults } = cluster.emulator;
  let kill: () => void = () => undefined;
  faults.add({ subresource: 'exec' }, { kind: 'Before', run: () => kill() }, { times: 1 });
  faults.add({ subresource: 'exec' }, { kind: 'NeverAnswer' });
  const run = await cluster.run(['--concurrency', '1'], {
    onStart: (child) => {
      kill = () => {
        child.kill('SIGINT');
        setTimeout(() => child.kill('SIGINT'), 800);
      };
    },
  });
  expect(run).toMatchObject({ exitCode: 130, stdout: '' });
});

it('a stop during the list still writes a report', async () => {
  await stubbornCluster();
  cluster.emulator.faults.add({ verb: 'list', resource: 'pods' }, { kind: 'NeverAnswer' });
  const { run, report } = await cluster.sweep(['--deadline', '1s']);
  expect(run.exitCode).toBe(5);
  expect(report.unread).toMatchObject([{ problem: 'Interrupted' }]);
});
