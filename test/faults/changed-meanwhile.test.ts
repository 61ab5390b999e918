import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultyCluster } from './faulty-cluster.ts';
import { changes } from './races/changes.ts';
import { expectFair, race, racesOf } from './races/race.ts';
import { endsUncleanly, rungs } from './races/rungs.ts';

let cluster: FaultyCluster;
beforeEach(async () => {
  cluster = await FaultyCluster.start();
});
afterEach(() => cluster.stop());

it('C4: a sidecar that comes back after its end is not asked again', async () => {
  const change = changes.find(({ restartPolicy }) => restartPolicy === 'OnFailure');
  if (!change) return expect.unreachable();
  const raced = await race(cluster, await racesOf(cluster, change, [endsUncleanly]));
  expectFair(raced, 'C4');
  for (const { report, exitCode } of raced) {
    expect(report.pods.map(({ outcome }) => outcome.kind)).toEqual(['Stuck']);
    expect(exitCode).toBe(4);
  }
});

describe('A6, C1, C2, C3: whatever becomes of a pod, at every request of its sweep', () => {
  it.each(changes)('nothing more is sent to a pod that $title', async (change) => {
    const raced = await race(cluster, await racesOf(cluster, change, rungs));
    expectFair(raced, change.row);
  });
});
