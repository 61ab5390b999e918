import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Profile, type SweepOptions, type SweepReport, sweep, UsageError } from '../../../src/index.ts';
import { sidecarsOf } from '../../../src/report/sweep/planned.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const namespaces = ['confirmed', 'own', 'stopped', 'logged', 'failing'];
const cluster = TestCluster.startedOnce(namespaces.map((namespace) => stuckPod({ namespace })));
let reach: SweepOptions;
beforeAll(async () => {
  reach = { kubeconfig: await cluster.kubeconfig(), env: {} };
});

function sweepOf(namespace: string, options: SweepOptions = {}): Promise<SweepReport> {
  return sweep({ ...reach, ...options, policy: { namespaces: [namespace], ...options.policy } });
}

function sent(): number {
  return cluster.emulator.requests.filter(({ subresource }) => subresource === 'exec').length;
}

const agent: Profile = {
  name: 'acme-agent',
  containers: ['sidecar'],
  images: ['local/busybox'],
  steps: [{ signal: ['QUIT'], grace: '20s', exitCode: 0 }],
};

describe('the plan is shown before anything is sent, and', () => {
  it('nothing is sent unless it is confirmed', async () => {
    const before = sent();
    const report = await sweepOf('confirmed', { confirm: () => false });
    expect(report.run.stoppedEarly).toBe('Declined');
    expect(report.pods[0]?.outcome).toEqual({ kind: 'NotAttempted', reason: 'Declined' });
    expect(sent()).toBe(before);
  });

  it('what was shown is what is sent', async () => {
    const shown: SweepReport[] = [];
    const report = await sweepOf('confirmed', {
      async confirm(plan) {
        shown.push(plan);
        return true;
      },
    });
    expect(shown).toHaveLength(1);
    expect(stepsIn(report)).toEqual(shown.flatMap(stepsIn));
    expect(report.totals).toMatchObject({ candidates: 1, pods: { Ended: 1 }, sidecars: { Stopped: 1 } });
  });
});

it('a profile of the policy says how its sidecar ends', async () => {
  const report = await sweepOf('own', { policy: { profiles: [agent] }, dryRun: true });
  expect(stepsIn(report)).toEqual(['signal QUIT', 'signal TERM', 'signal KILL']);
});

it('a signal stops it before anything is sent, and the report says why', async () => {
  const before = sent();
  const report = await sweepOf('stopped', { stop: AbortSignal.abort() });
  expect(report.run.stoppedEarly).toBe('Signal');
  expect(sent()).toBe(before);
});

it('the log is given line by line, and nothing is printed', async () => {
  const stdout = vi.spyOn(process.stdout, 'write');
  const stderr = vi.spyOn(process.stderr, 'write');
  const events: string[] = [];
  await sweepOf('logged', { log: (line) => events.push(JSON.parse(line).event) });
  expect(events).toEqual(['Acting', 'SweepFinished']);
  expect([stdout.mock.calls, stderr.mock.calls]).toEqual([[], []]);
});

it('an error of the caller ends nothing halfway', async () => {
  const failing = sweepOf('failing', {
    log(line) {
      if (JSON.parse(line).event === 'Acting') throw new Error('not today');
    },
  });
  await expect(failing).rejects.toThrow('not today');
  expect((await sweepOf('failing')).pods).toEqual([]);
  await expect(sweepOf('own', { confirm: () => Promise.reject(new Error('nor now')) })).rejects.toThrow(
    'nor now',
  );
});

it.each<readonly [title: string, options: SweepOptions, message: string]>([
  ['a policy', { policy: { minAge: 'soon' } }, 'the policy: minAge: write a duration'],
  ['a profile', { policy: { profiles: [{ ...agent, images: [] }] } }, 'the policy: profiles.0.images'],
  ['a timeout', { requestTimeout: '0' }, 'requestTimeout must be'],
  ['how much at once', { concurrency: 0 }, 'concurrency must be'],
  ['a kubeconfig', { kubeconfig: '/nonexistent' }, 'does not exist'],
])('a UsageError says what cannot be used: %s', async (_title, options, message) => {
  const thrown = await sweepOf('x', options).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(UsageError);
  expect(String(thrown)).toContain(message);
});

function stepsIn({ pods }: SweepReport): readonly string[] {
  return pods.flatMap(sidecarsOf).flatMap(({ steps }) => steps.map(({ does }) => does));
}
