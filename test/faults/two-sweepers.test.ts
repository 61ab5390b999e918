import { describe, expect, it } from 'vitest';
import { SimulatedCluster } from '../kit/random/simulated-cluster.ts';
import { startedForEach } from '../kit/started.ts';
import { apart, wrongs } from './races/interleaved.ts';
import { rungs } from './races/rungs.ts';
import { type Interleaved, interleave, type Locking } from './races/two-sweepers.ts';
import { tally } from './tally.ts';

const cluster = startedForEach(() => SimulatedCluster.start());

function play(seeds: readonly number[], locking: Locking, of = rungs): Promise<readonly Interleaved[]> {
  return cluster.simulation.run(Promise.all(seeds.map((seed) => interleave(cluster, seed, of, locking))));
}

/** Of the others, nothing is left to do when the Lease is found to be gone. */
const lasting = rungs.filter(({ title }) => title === 'TERM, then KILL');

/** So many seeds, in parts that a cluster has room for. */
function parts(count: number): readonly { readonly from: number; readonly seeds: readonly number[] }[] {
  const size = 50;
  return Array.from({ length: count / size }, (_, part) => {
    const from = part * size + 1;
    return { from, seeds: Array.from({ length: size }, (_, index) => from + index) };
  });
}

describe('C6: two sweepers over one cluster, whatever the order of their requests', () => {
  it.each(parts(800))('do no harm without a Lease (seeds from $from)', async ({ seeds }) => {
    const played = await play(seeds, 'None');
    expect(played.flatMap((one) => wrongs(one, cluster))).toEqual([]);
    tally('interleavings', 'C6', played.length);
  });

  it.each(parts(100))('never both act with a Lease (seeds from $from)', async ({ seeds }) => {
    const played = await play(seeds, 'Lease');
    expect(played.flatMap((one) => [...wrongs(one, cluster), ...apart(one)])).toEqual([]);
    tally('interleavings', 'C6', played.length);
  });

  it.each(parts(100))('begin nothing once the Lease is lost (seeds from $from)', async ({ seeds }) => {
    const played = await play(seeds, 'Stolen', lasting);
    expect(played.flatMap((one) => wrongs(one, cluster))).toEqual([]);
    const lost = played.flatMap(({ sweepers }) => sweepers.filter(({ lostAt }) => lostAt !== undefined));
    expect(lost.length).toBeGreaterThan(0);
    tally('interleavings', 'C6', played.length);
  });
});
