import { describe, expect, it } from 'vitest';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { otherWays, playEach, type Way, ways } from './every-request.ts';
import { FaultyCluster, outcomesOf, survive } from './faulty-cluster.ts';
import { isSend } from './races/watcher.ts';
import { tally } from './tally.ts';

const cluster = FaultyCluster.startedOnce();

/**
 * The admission plugin NamespaceLifecycle refuses whatever is created so, and a proxy may refuse more.
 * https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go
 */
const why = 'unable to create new content in namespace a because it is being terminated';
const terminating = {
  kind: 'Answer',
  status: 403,
  body: {
    kind: 'Status',
    status: 'Failure',
    reason: 'Forbidden',
    message: `it is forbidden: ${why}`,
    details: { causes: [{ reason: 'NamespaceTerminating', message: why }] },
  },
} as const;

describe('A5: 403 because the namespace is terminating', () => {
  const eviction = { subresource: 'eviction' };

  it.each<Way>(['signal', ...otherWays])('for everything that is sent is the reason: %s', async (way) => {
    const played = await cluster.play({
      ...ways[way],
      trouble: (namespace, { faults }) => void faults.add({ namespace, when: isSend }, terminating),
    });
    survive('A5', [played], ({ report, exitCode }) => {
      expect(outcomesOf(report)).toEqual([['Stuck', 'StillRunning']]);
      expect(JSON.stringify(report)).toContain('being terminated');
      expect(exitCode).toBe(4);
    });
  });

  it('for the eviction needs nothing of a pod that is being deleted by then', async () => {
    const played = await playEach(
      cluster,
      [{ evict: true }, { delete: true }].map((second) => ({
        ...ways.evict,
        policy: { lastResort: [{ evict: true }, second] },
        trouble: (namespace, { faults, world }) => {
          faults.add(
            { namespace, ...eviction },
            {
              kind: 'Before',
              run: () => void world.deletePod(namespace, 'pod', { gracePeriodSeconds: 600 }),
            },
          );
          faults.add({ namespace, ...eviction }, terminating);
        },
      })),
    );
    survive('A5', played, ({ requests, took }) => {
      expect(requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
      expect(took).toBeLessThan(120_000);
    });
  });

  it('for the Lease ends the sweep before anything is sent', async () => {
    const real = await TestCluster.start([stuckPod({ name: 'pod' })]);
    real.emulator.faults.add({ resource: 'leases' }, terminating);
    const { run, report } = await real.sweepHere(['-n', 'demo', '--lock', 'demo', '--min-age', '0s']);
    expect(real.emulator.requests.filter(isSend)).toEqual([]);
    expect(`${run.stdout}${run.stderr}`).not.toContain('grant');
    expect(report.unread).toMatchObject([{ message: expect.stringContaining('being terminated') }]);
    expect(run.exitCode).toBe(3);
    await real.stop();
    tally('faults', 'A5', 1);
  });
});
