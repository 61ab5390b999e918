import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startedOnce } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const size = 24;

const cluster = startedOnce(() =>
  TestCluster.start(Array.from({ length: size }, (_, index) => stuckPod({ name: `pod-${index}` }))),
);

function changes(): readonly string[] {
  return cluster.emulator.requests
    .filter(({ resource, subresource }) => resource === 'pods' && subresource !== '')
    .map(({ path }) => path);
}

it.each([
  ['a number', ['--brake-pods', '23'], 'the limit is 23;', `--brake-pods ${size}`],
  ['a share', ['--brake-share', '50'], 'the limit is 50 %;', '--brake-share 100'],
])(
  'a plan for more pods than %s allows is reported, and nothing is sent',
  async (_what, flags, limit, remedy) => {
    const { run, report } = await cluster.sweep(flags);
    expect(run.exitCode).toBe(6);
    expect(changes()).toEqual([]);
    expect(report.warnings).toMatchObject([{ kind: 'Braked', pods: size, listed: size }]);
    expect(report.totals.pods).toEqual({ NotAttempted: size });
    const [pod] = report.pods;
    expect(pod?.outcome).toEqual({ kind: 'NotAttempted', reason: 'Braked' });
    expect(pod?.containers).toContainEqual(
      expect.objectContaining({ role: 'Sidecar', steps: expect.arrayContaining([expect.anything()]) }),
    );
    expect(run.stderr).toContain(limit);
    expect(run.stderr).toContain(remedy);
  },
);

it('a dry run says it too', async () => {
  const { run, report } = await cluster.sweep(['--dry-run', '--brake-pods', '23']);
  expect(run.exitCode).toBe(6);
  expect(report.warnings).toMatchObject([{ kind: 'Braked' }]);
  expect(report.pods[0]?.outcome).toEqual({ kind: 'NotAttempted', reason: 'DryRun' });
});

it('a rule that makes second mains into sidecars is named, and the limit may stand in the policy', async () => {
  const pods = Array.from({ length: 3 }, (_, index) => {
    const pod = stuckPod({ name: `two-mains-${index}`, namespace: 'wide' });
    delete pod.manifest.metadata?.annotations?.['sidecar-sweeper.dev/sidecars'];
    return pod;
  });
  cluster.emulator.world.placePods(pods);
  const file = `${await cluster.kubeconfig()}-policy.json`;
  const rules = [{ name: 'too-wide', containers: ['s*'] }];
  const policy = { apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', brakePods: 2, rules };
  await writeFile(file, JSON.stringify(policy));
  const { run, report } = await cluster.sweep(['-n', 'wide', '--policy', file]);
  expect(run.exitCode).toBe(6);
  expect(changes()).toEqual([]);
  expect(report.warnings).toMatchObject([{ limit: 'brakePods', most: 2, rule: 'too-wide', byRule: 3 }]);
  expect(run.stderr).toContain('the rule too-wide matches in 3 of them');
});

it('the flag lets the plan through', async () => {
  const argv = `-n demo --brake-pods ${size} --brake-share 100`.split(' ');
  const { run, report } = await cluster.sweep(argv);
  expect(run.exitCode).toBe(0);
  expect(report.totals.pods).toEqual({ Ended: size });
});
