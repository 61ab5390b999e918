import { describe, expect, it } from 'vitest';
import { policyFlag } from '../../kit/cli.ts';
import { podOutcome, sidecarOutcome, sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = TestCluster.startedOnce([
  stuckPod(),
  stuckPod({ name: 'bad', annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': '{}' } }),
  stuckPod({ name: 'young', endedMinutesAgo: 1, sidecar: sidecars.clean }),
]);

describe('a dry run', () => {
  it('changes nothing, and names the pods that a sweep would act on', async () => {
    const { run, report } = await cluster.sweepHere(['--dry-run']);
    expect(run.exitCode).toBe(0);
    const asked = cluster.emulator.requests.map(({ verb, resource }) => `${verb} ${resource}`);
    expect(asked.slice(0, 3)).toEqual([
      'list pods',
      // Checks whether their namespace opted out.
      'get namespaces',
      // Checks whether the candidates' node is ready.
      'get nodes',
    ]);
    // Side by side.
    expect(asked.slice(3).sort()).toEqual([
      // Checks both verbs of pods/exec. A review changes nothing.
      'create selfsubjectaccessreviews',
      'create selfsubjectaccessreviews',
      // What earlier sweeps noted: the dry run withholds what the sweep would.
      'get leases',
      // Reads which cluster it is.
      'get namespaces',
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

  it('shows the plan of an account that may send it, and says once what this one may not', async () => {
    const rules = [{ apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['get', 'list'] }];
    const name = 'reader';
    const token = cluster.emulator.serviceAccount({ namespace: 'demo', name, rules, scope: 'Cluster' });
    const { report: own } = await cluster.sweepHere(['--dry-run']);
    const { report } = await cluster.sweepHere(['--dry-run'], { user: { name, token } });
    const planOf = ({ pods }: typeof report) => pods.map(({ name, containers }) => ({ name, containers }));
    expect(planOf(report)).toEqual(planOf(own));
    const warnings = report.warnings.filter(({ kind }) => kind === 'NoPermission');
    const needs = 'get, create on pods/exec';
    expect(warnings).toEqual([{ kind: 'NoPermission', method: 'Signal', namespaces: ['demo'], needs }]);
  });

  it('writes no Events, and neither does a sweep unless it is told to', async () => {
    await cluster.sweepHere(['--dry-run', ...policyFlag({ events: true })]);
    await cluster.sweepHere(['--no-lock', '-n', 'demo']);
    expect(cluster.emulator.world.store.list('events')).toEqual([]);
  });
});
