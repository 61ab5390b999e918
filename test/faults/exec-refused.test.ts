import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSound, FaultyCluster, type Trouble } from './faulty-cluster.ts';
import { tally } from './tally.ts';

let cluster: FaultyCluster;
beforeAll(async () => {
  cluster = await FaultyCluster.start();
});
afterAll(() => cluster.stop());

const statuses = [400, 401, 403, 404, 409, 429, 500, 501, 502, 503, 504];

describe('B1: an exec that is refused', () => {
  it('with any status costs only its own pod, and is tried again where that is safe', async () => {
    const refusedOnce = statuses.flatMap((status): readonly Trouble[] => [
      {
        trouble: (namespace, { faults }) =>
          faults.add({ subresource: 'exec', namespace, name: 'pod-1' }, { kind: 'Answer', status, body: {} }),
      },
    ]);
    const played = await cluster.playAll(refusedOnce);
    expectSound(played, 'B1');
    for (const { report } of played) {
      const outcomes = report.pods.filter(({ name }) => name !== 'pod-1').map(({ outcome }) => outcome.kind);
      expect(outcomes).toEqual(['Ended', 'Ended']);
    }
    tally('faults', 'B1', statuses.length);
  });
});
