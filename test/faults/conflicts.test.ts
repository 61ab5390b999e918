import { describe, expect, it } from 'vitest';
import { startedOnce } from '../kit/started.ts';
import { playEach, survive } from './every-request.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { outcomesOf, writtenBlindly } from './read-case.ts';
import { otherWays, type Way, ways } from './ways.ts';

const cluster = startedOnce(() => FaultyCluster.start());

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
