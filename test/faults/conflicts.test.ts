import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playEach, survive } from './every-request.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { outcomesOf, writtenBlindly } from './read-case.ts';
import { otherWays, type Way, ways } from './ways.ts';

let cluster: FaultyCluster;
beforeAll(async () => {
  cluster = await FaultyCluster.start();
});
afterAll(() => cluster.stop());

const changed = {
  kind: 'Status',
  status: 'Failure',
  reason: 'Conflict',
  message: 'the object has been modified',
};
const conflict = { kind: 'Answer', status: 409, body: changed } as const;

describe('A8: 409 for whatever changes a pod', () => {
  const all: readonly Way[] = ['signal', ...otherWays];
  it.each([1, 2, 3])('%i times is tried again, each time after another read', async (times) => {
    survive('A8', await conflicting(all, times), ({ report, exitCode, requests }) => {
      expect(outcomesOf(report)[0]?.[0]).toMatch(/^(Ended|Gone)$/);
      expect(exitCode).toBe(0);
      expect(writtenBlindly(requests)).toEqual([]);
    });
  });

  it('for good ends after some tries, and says so', async () => {
    survive('A8', await conflicting(all, Number.POSITIVE_INFINITY), ({ report, exitCode, requests }) => {
      expect(outcomesOf(report)).toEqual([['Stuck', 'StillRunning']]);
      expect(JSON.stringify(report)).toContain(changed.message);
      expect(exitCode).toBe(4);
      expect(requests.filter(({ status }) => status === 409).length).toBeLessThan(30);
      expect(writtenBlindly(requests)).toEqual([]);
    });
  });

  function conflicting(some: readonly Way[], times: number) {
    return playEach(
      cluster,
      some.map((way) => ({
        ...ways[way],
        trouble: (namespace, { faults }) => {
          const when = ({ method, subresource }: { method: string; subresource: string }) =>
            method !== 'GET' || subresource !== '';
          faults.add({ namespace, resource: 'pods', when }, conflict, { times });
        },
      })),
    );
  }
});

/** https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go */
const terminating = {
  kind: 'Answer',
  status: 403,
  body: {
    kind: 'Status',
    status: 'Failure',
    reason: 'Forbidden',
    message: 'pods "pod" is forbidden: unable to create new content because it is being terminated',
    details: { causes: [{ reason: 'NamespaceTerminating', message: 'is being terminated' }] },
  },
} as const;

describe('A5: 403 because the namespace is terminating', () => {
  const eviction = { subresource: 'eviction' };

  it('is the reason, if nothing else may be done', async () => {
    const [played] = await playEach(cluster, [
      {
        ...ways.evict,
        trouble: (namespace, { faults }) => void faults.add({ namespace, ...eviction }, terminating),
      },
    ]);
    survive('A5', [played ?? expect.fail()], ({ report, exitCode }) => {
      expect(JSON.stringify(report.pods)).toContain('is being terminated');
      expect(outcomesOf(report)).toEqual([['Stuck', 'StillRunning']]);
      expect(exitCode).toBe(4);
    });
  });

  it('needs nothing of a pod that is being deleted by then', async () => {
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
});
