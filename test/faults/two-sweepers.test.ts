import { describe, expect, it } from 'vitest';
import { sweepReport } from '../../src/report/schema.ts';
import type { Pod } from '../kit/emulator/index.ts';
import { compare } from '../kit/random/compare.ts';
import { mainOf } from '../kit/random/read-pod.ts';
import { SimulatedCluster } from '../kit/random/simulated-cluster.ts';
import { startedForEach } from '../kit/started.ts';
import { podName } from './races/changes.ts';
import { rungs } from './races/rungs.ts';
import { type Interleaved, interleave, type Locking, type Made, type Sweeper } from './races/two-sweepers.ts';
import { tally } from './tally.ts';

/** What neither of two sweepers may do or say, whatever the order of their requests. */
function wrongs(one: Interleaved, { emulator }: SimulatedCluster): readonly string[] {
  const { seed, rung, before, sweepers } = one;
  const { store } = emulator.world;
  const after = store.get<Pod>('pods', before.metadata.namespace, podName);
  const isSame = !after || mainOf(after)?.containerID === mainOf(before)?.containerID;
  const found = [
    ...sweepers.flatMap((sweeper) => [...ofSweeper(sweeper, one)]),
    ...sweepers.flatMap(({ conclusions, lostAt }) => {
      // A sweeper that had to stop says what was still under way.
      if (lostAt !== undefined) return [];
      const concluded = conclusions.map((each) => ({ ...each, before }));
      return compare(concluded, store, 0).differences;
    }),
    ...killedTooSoon(one),
    ...(isSame ? [] : ['its main was touched']),
  ];
  return found.map((what) => `seed ${seed}, ${rung.title}: ${what}`);
}

/** The requests of a sweeper that another one's are in between. */
function apart({ seed, sweepers }: Interleaved): readonly string[] {
  const turns = sweepers
    .flatMap(({ sent }, who) => sent.map(({ at }) => ({ who, at })))
    .toSorted((a, b) => a.at - b.at)
    .filter(({ who }, index, all) => who !== all[index - 1]?.who);
  return turns.length > 2 ? [`seed ${seed}: both act in turns`] : [];
}

function ofSweeper(
  { report, conclusions, sent, reads, lostAt }: Sweeper,
  one: Interleaved,
): readonly string[] {
  const { before, history } = one;
  const uids = conclusions.map(({ conclusion }) => conclusion.pod.uid);
  const late = sent.filter((made) => {
    const read = reads.findLast(({ at }) => at <= made.asked);
    return !read || history.hasEndedBy(before.metadata.uid, read.at);
  });
  const afterLoss = sent.filter(({ asked }) => lostAt !== undefined && asked > lostAt);
  return [
    ...(report && !sweepReport.safeParse(report).success ? ['its report does not match its schema'] : []),
    ...(report && report.pods.length !== uids.length ? ['it lost an outcome'] : []),
    ...late.map(({ what }) => `${what} was sent although the sidecar was seen to have ended`),
    ...afterLoss.map(({ what }) => `${what} was sent without the Lease`),
    ...twice(sent).map((what) => `${what} was sent twice by one sweeper`),
    ...conclusions.flatMap(({ conclusion, at }) =>
      history.untrue(conclusion, history.asOf(uids[0], lastRead(reads, at))),
    ),
  ];
}

function lastRead(reads: readonly Made[], until: number): number {
  return reads.findLast(({ at }) => at <= until)?.at ?? 0;
}

/** A sweeper that escalates has waited for as long as the pod's grace period since the first of both asked nicely. */
function killedTooSoon({ sweepers, grace, rung }: Interleaved): readonly string[] {
  // Where nothing can catch TERM, it was not sent at all.
  if (rung.sidecar.shell === false || !rung.sidecar.on?.SIGTERM) return [];
  const all = sweepers.flatMap(({ sent }) => sent).toSorted((a, b) => a.at - b.at);
  const asked = all.find(({ what }) => what.includes('TERM'));
  const killed = all.find(({ what }) => what.includes('KILL'));
  return asked && killed && killed.at < asked.at + grace ? [`KILL after ${killed.at - asked.at} ms`] : [];
}

function twice(sent: readonly Made[]): readonly string[] {
  const all = sent.map(({ what }) => what);
  return all.filter((what, index) => all.indexOf(what) !== index);
}

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
