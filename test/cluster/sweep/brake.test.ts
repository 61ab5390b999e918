import { expect, it } from 'vitest';
import { policyFlag } from '../../kit/cli.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const size = 24;

const cluster = TestCluster.startedOnce(
  Array.from({ length: size }, (_, index) => stuckPod({ name: `pod-${index}` })),
);

function changes(): readonly string[] {
  return cluster.emulator.requests
    .filter(({ resource, subresource }) => resource === 'pods' && subresource !== '')
    .map(({ path }) => path);
}

it.each([
  ['a number', { brakePods: 23 }, 'the limit is 23;', `set brakePods: ${size} in the policy`],
  ['a share', { brakeShare: 50 }, 'the limit is 50 %;', 'set brakeShare: 100 in the policy'],
])('a plan for more pods than %s allows is told, and nothing sent', async (_what, fields, limit, remedy) => {
  const { run, report } = await cluster.sweepHere([...policyFlag(fields), '--log-level=debug']);
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
});
