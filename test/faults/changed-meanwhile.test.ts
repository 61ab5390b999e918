import { afterEach, beforeEach, describe, it } from 'vitest';
import { FaultyCluster } from './faulty-cluster.ts';
import { changes } from './races/changes.ts';
import { expectFair, race, racesOf } from './races/race.ts';
import { rungs } from './races/rungs.ts';

let cluster: FaultyCluster;
beforeEach(async () => {
  cluster = await FaultyCluster.start();
});
afterEach(() => cluster.stop());

describe('whatever becomes of a pod, at every request of its sweep', () => {
  it.each(changes)('$row: nothing more is sent to a pod that $title', async (change) => {
    const raced = await race(cluster, await racesOf(cluster, change, rungs));
    expectFair(raced, change.row);
  });
});
