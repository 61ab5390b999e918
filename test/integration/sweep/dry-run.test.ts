import { afterAll, beforeAll, expect, it } from 'vitest';
import { podOutcome, sidecarOutcome, sidecars, stuckPod, TestCluster } from '../stuck-pods.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start([
    stuckPod(),
    stuckPod({ name: 'bad', annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': '{}' } }),
    stuckPod({ name: 'young', endedMinutesAgo: 1, sidecar: sidecars.clean }),
  ]);
});
afterAll(() => cluster.stop());

it('a dry run sends nothing but reads, and names what a real run would send to', async () => {
  const { run, report } = await cluster.sweep(['--dry-run']);
  expect(run.exitCode).toBe(0);
  expect(cluster.emulator.requests.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
    'list pods',
    // Whether the candidates' node is ready.
    'get nodes',
  ]);
  expect(report.run.dryRun).toBe(true);
  expect(sidecarOutcome(report)).toEqual({ kind: 'NotAttempted', reason: 'DryRun' });
  expect(podOutcome(report)).toEqual({ kind: 'NotAttempted', reason: 'DryRun' });
  expect(sidecarOutcome(report, 'bad')).toMatchObject({
    kind: 'Skipped',
    reason: { kind: 'BadKillCommand' },
  });
  expect(report.totals).toMatchObject({
    listed: 3,
    candidates: 2,
    excluded: 1,
    excludedBecause: { TooYoung: 1 },
  });
});
