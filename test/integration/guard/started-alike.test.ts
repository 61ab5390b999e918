import { afterAll, beforeAll, expect, it } from 'vitest';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { ensureNamespace, type LightBehaviour, type Pod } from '../../kit/emulator/index.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { manifestOf, type OneOfMany, ownName } from './started-alike.ts';

const count = 200;
/** As many unclean ends as the canaries of one image may cost together. */
const handful = 3;
/** Until all main containers have ended. */
const timeToFill = 5_000;
const ends = (exitCode: number): LightBehaviour => ({ on: { SIGTERM: { exitCode, after: 2_000 } } });
const named = (number: number) => ({
  name: `job-${number}`,
  start: { command: ['agent'], args: ['--run', ownName(number)] },
});

let cluster: SimulatedCluster;
beforeAll(async () => {
  cluster = await SimulatedCluster.start();
});
afterAll(() => cluster?.stop());

const pods = (namespace: string) => cluster.emulator.world.store.list<Pod>('pods', namespace);

async function create(jobs: readonly OneOfMany[]): Promise<void> {
  const { emulator, simulation } = cluster;
  for (const job of jobs) {
    ensureNamespace(emulator.world, job.namespace);
    emulator.world.createJob(manifestOf(job));
  }
  await simulation.run(simulation.pass(timeToFill));
}

/** Sweeps a namespace and notes, whenever a signal is sent, how many sidecars have ended and how many were told to. */
async function sweep(namespace: string) {
  const { emulator, simulation } = cluster;
  const sent: { readonly ended: number; readonly underWay: number }[] = [];
  const hasEnded = ({ status }: Pod) => status.containerStatuses?.[1]?.state.terminated !== undefined;
  const before = pods(namespace).filter(hasEnded).length;
  const note = () => {
    const ended = pods(namespace).filter(hasEnded).length - before;
    sent.push({ ended, underWay: sent.length + 1 - ended });
  };
  const remove = emulator.faults.add({ subresource: 'exec', namespace }, { kind: 'Before', run: note });
  const policy = resolvePolicy({ namespaces: [namespace], minAge: 0, lastResort: [] }, undefined);
  const report = await simulation.run(cluster.sweep(namespace, policy, () => undefined));
  remove();
  return { sent, report };
}

it('200 pods with a name of their own in their arguments need a handful of canaries, whatever else has failed', async () => {
  const namespace = 'clean';
  const failing: LightBehaviour = { ends: { exitCode: 143, after: 3_000 } };
  await create([
    { namespace, name: 'other', sidecar: failing, start: { command: ['other'] }, backoffLimit: 0 },
  ]);
  expect(pods(namespace)).toMatchObject([{ status: { phase: 'Failed' } }]);
  await create(
    Array.from({ length: count }, (_, number) => ({ ...named(number), namespace, sidecar: ends(0) })),
  );

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
  await create(
    Array.from({ length: count }, (_, number) => ({ ...named(number), namespace, sidecar: ends(143) })),
  );
  const { sent, report } = await sweep(namespace);
  expect(sent.length).toBeLessThanOrEqual(handful);
  expect(report.totals.pods).toEqual({ Ended: sent.length, Held: count - sent.length });
});
