import { afterEach, expect, it } from 'vitest';
import type { SweepReport } from '../../../src/report/schema.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
afterEach(() => cluster.stop());

const size = 40;
const grace = 60;

async function stubbornCluster(): Promise<void> {
  const pods = Array.from({ length: size }, (_, index) =>
    stuckPod({ name: `pod-${index}`, sidecar: sidecars.stubborn, grace }),
  );
  cluster = await TestCluster.start(pods);
}

/** How many sidecars a sweep reaches before it stops depends on the machine; nobody knows what becomes of those. */
function expectReachedAtLeast(least: number, { totals }: SweepReport): void {
  const { Unproven: reached = 0, NotAttempted: notAttempted = 0 } = totals.sidecars;
  expect(reached).toBeGreaterThanOrEqual(least);
  expect(reached + notAttempted).toBe(size);
}

it('--deadline cuts waits short, and the report has an outcome for every pod', async () => {
  await stubbornCluster();
  const { run, report } = await cluster.sweep(['--deadline', '2s']);
  expect(run.exitCode).toBe(5);
  expect(report.run.stoppedEarly).toBe('Deadline');
  expect(report.pods.length).toBe(size);
  expectReachedAtLeast(1, report);
  expect(report.run.durationMs, 'less than a grace period').toBeLessThan(grace * 1_000);
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
    expectReachedAtLeast(6, report);
    expect(report.totals.sidecars).toHaveProperty('NotAttempted');
  },
);

it.each<readonly [words: string, verb: 'list' | 'get' | 'create', says: string]>([
  ['scan', 'list', 'cannot list pods in all namespaces: interrupted'],
  ['advise', 'list', 'cannot list pods in all namespaces: interrupted'],
  ['explain demo/stuck', 'get', 'the pod demo/stuck cannot be read: interrupted'],
  ['check-access', 'create', 'the permissions of this account are unknown: interrupted'],
])('Ctrl-C in %s says that it was interrupted, and exits as a sweep does', async (words, verb, says) => {
  cluster = await TestCluster.start([stuckPod()]);
  const { faults } = cluster.emulator;
  let interrupt: () => void = () => undefined;
  faults.add({ verb }, { kind: 'Before', run: () => interrupt() }, { times: 1 });
  faults.add({ verb }, { kind: 'NeverAnswer' });
  const { exitCode, stderr } = await cluster.run(words.split(' '), {
    onStart: (child) => {
      interrupt = () => child.kill('SIGINT');
    },
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 5, stderr: `sidecar-sweeper: ${says}\n` });
});

it('a second signal exits at once', async () => {
  await stubbornCluster();
  const { faults } = cluster.emulator;
  let interrupt: () => void = () => undefined;
  faults.add({ subresource: 'exec' }, { kind: 'Before', run: () => interrupt() }, { times: 1 });
  faults.add({ subresource: 'exec' }, { kind: 'NeverAnswer' });
  let interrupting: NodeJS.Timeout | undefined;
  const run = await cluster.run(['--concurrency', '1'], {
    onStart: (child) => {
      // The kernel merges signals that arrive before the first is handled.
      interrupt = () => {
        child.kill('SIGINT');
        interrupting = setInterval(() => child.kill('SIGINT'), 800);
      };
    },
  });
  clearInterval(interrupting);
  expect(run).toMatchObject({ exitCode: 130, stdout: '' });
});

it('a stop during the list still writes a report', async () => {
  await stubbornCluster();
  cluster.emulator.faults.add({ verb: 'list', resource: 'pods' }, { kind: 'NeverAnswer' });
  const { run, report } = await cluster.sweep(['--deadline', '1s']);
  expect(run.exitCode).toBe(5);
  expect(report.unread).toMatchObject([{ problem: 'Interrupted' }]);
});
