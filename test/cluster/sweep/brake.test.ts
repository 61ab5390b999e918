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
    const { run, report } = await cluster.sweepHere([...flags, '--log-level=debug']);
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
