import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LightBehaviour, Pod } from '../../emulator/index.ts';
import { eventually } from '../../fidelity/stage.ts';
import { TestCluster } from '../stuck-pods.ts';
import { createMany, manifestOf, ownName } from './started-alike.ts';

const count = 200;
/** As many unclean ends as the canaries of one image may cost together. */
const handful = 3;
const ends = (exitCode: number): LightBehaviour => ({ on: { SIGTERM: { exitCode, after: 2_000 } } });
const named = (number: number) => ({
  name: `job-${number}`,
  start: { command: ['agent'], args: ['--run', ownName(number)] },
});

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await TestCluster.start();
});
afterAll(() => cluster.stop());

const pods = (namespace: string) => cluster.emulator.world.store.list<Pod>('pods', namespace);

/** Sweeps a namespace and notes, whenever a signal is sent, how many sidecars have ended and how many were told to. */
async function sweep(namespace: string) {
  const sent: { readonly ended: number; readonly underWay: number }[] = [];
  const hasEnded = ({ status }: Pod) => status.containerStatuses?.[1]?.state.terminated !== undefined;
  const before = pods(namespace).filter(hasEnded).length;
  const note = () => {
    const ended = pods(namespace).filter(hasEnded).length - before;
    sent.push({ ended, underWay: sent.length + 1 - ended });
  };
  const remove = cluster.emulator.faults.add(
    { subresource: 'exec', namespace },
    { kind: 'Before', run: note },
  );
  const { report } = await cluster.sweep(['-n', namespace, '--min-age', '0']);
  remove();
  return { sent, report };
}

it('200 pods with a name of their own in their arguments need a handful of canaries, whatever else has failed', async () => {
  const namespace = 'clean';
  const { world } = cluster.emulator;
  const failing: LightBehaviour = { ends: { exitCode: 143, after: 3_000 } };
  world.createJob(
    manifestOf({
      namespace,
      name: 'other',
      sidecar: failing,
      start: { command: ['other'] },
      backoffLimit: 0,
    }),
  );
  const failed = () => pods(namespace).filter(({ status }) => status.phase === 'Failed').length;
  expect(await eventually(failed, (now) => now === 1)).toBe(1);
  await createMany(cluster.emulator, count, (number) => ({ ...named(number), namespace, sidecar: ends(0) }));

  const { sent, report } = await sweep(namespace);
  expect(report.totals.pods).toEqual({ Ended: count });
  expect(report.warnings).toEqual([]);
  expect(sent).toHaveLength(count);
  expect(sent.filter(({ ended }) => ended === 0).length).toBeLessThanOrEqual(handful);
  // After that, nobody waits for anybody.
  expect(Math.max(...sent.map(({ underWay }) => underWay))).toBeGreaterThan(handful);
});

it('if they exit uncleanly, a handful of them does', async () => {
  const namespace = 'unclean';
  await createMany(cluster.emulator, count, (number) => ({
    ...named(number),
    namespace,
    sidecar: ends(143),
  }));
  const { sent, report } = await sweep(namespace);
  expect(sent.length).toBeLessThanOrEqual(handful);
  expect(report.totals.pods).toEqual({ Ended: sent.length, Held: count - sent.length });
});
