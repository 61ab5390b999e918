import { expect, it } from 'vitest';
import type { Notebook } from '../../../src/model/ports.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { fileOf } from '../../builders/policy.ts';
import { BEHAVIOUR_ANNOTATION, type Pod } from '../../kit/emulator/index.ts';
import { notebook } from '../../kit/notebook.ts';
import { noopImages } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import { container, podOutcome, sidecarOutcome, sidecars, stuckPod } from '../../kit/stuck-pods.ts';

const minute = 60_000;
const hour = 60 * minute;
/** For the list, the settling of the pods and the polls. */
const besides = 30_000;

const cluster = startedOnce(() => SimulatedCluster.start());

/** Ends on TERM, and takes two hours on USR1, of which its owner allows one. */
const slow = { on: { SIGUSR1: { exitCode: 0, after: 2 * hour }, SIGTERM: { exitCode: 0, after: 50 } } };
const steps = '[{ "signal": ["USR1"], "grace": "1h" }, { "signal": ["TERM"], "grace": "10s" }]';

function place(namespace: string): void {
  cluster.emulator.world.placePods([
    stuckPod({
      namespace,
      name: 'stubborn',
      sidecar: slow,
      grace: 3_600,
      annotations: { 'sidecar-sweeper.dev/steps-sidecar': steps },
    }),
    ...['a', 'b', 'c'].map((name) => stuckPod({ namespace, name })),
  ]);
}

/** Sweeps, and returns how long it took by the cluster's clock. */
async function sweep(namespace: string, notes: Notebook): Promise<readonly [SweepReport, number]> {
  const began = cluster.now;
  const policy = fileOf({ maxGrace: `${minute}ms` });
  const report = await cluster.sweepIn(namespace, {}, policy, { notebook: notes });
  return [report, cluster.now - began];
}

const sentTo = (namespace: string, name: string) =>
  cluster.emulator.requests.filter(
    (each) => each.namespace === namespace && each.name === name && each.subresource === 'exec',
  ).length;

const underWay = { kind: 'StillRunning', because: { kind: 'UnderWay' } };

it('what was begun is not sent again by the next sweep, and the next step follows when its time is over', async () => {
  place('two');
  const notes = notebook();
  const [first, tookFirst] = await sweep('two', notes);
  // One sidecar with a grace period of an hour does not make a sweep last until its deadline, or keep the others.
  expect(tookFirst).toBeLessThan(minute + besides);
  expect(['stubborn', 'a', 'b', 'c'].map((name) => podOutcome(first, name))).toMatchObject([
    { kind: 'Stuck' },
    ...Array(3).fill({ phase: 'Succeeded' }),
  ]);
  const sent = sentTo('two', 'stubborn');
  expect(sent).toBeGreaterThan(0);
  const [second, took] = await sweep('two', notes);
  expect(took).toBeLessThan(minute + besides);
  expect(sentTo('two', 'stubborn')).toBe(sent);
  expect(sidecarOutcome(second, 'stubborn')).toEqual(underWay);
  const container = second.pods[0]?.containers.find(({ role }) => role === 'Sidecar');
  expect(container).toMatchObject({ attempts: [{ result: { message: 'an earlier sweep sent it' } }] });

  await cluster.simulation.run(cluster.simulation.pass(hour));
  const [third] = await sweep('two', notes);
  expect(sidecarOutcome(third, 'stubborn')).toEqual({ kind: 'Stopped', exitCode: 0 });
});

/** Only its name and its image show that it is a sidecar, and a swap replaces the image. */
function knownByImage(namespace: string) {
  const name = 'cloud-sql-proxy';
  const proxy = container(name, { image: 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.8.0' });
  return stuckPod({
    namespace,
    grace: 1_800,
    metadata: { annotations: { [BEHAVIOUR_ANNOTATION]: JSON.stringify({ [name]: sidecars.immune }) } },
    spec: { containers: [container('main'), proxy] },
    states: { [name]: { kind: 'running', startedAt: new Date(cluster.now - 2 * hour) } },
  });
}

const annotated = (namespace: string) =>
  stuckPod({ namespace, name: 'annotated', sidecar: sidecars.immune, grace: 1_800 });

it.each([
  ['an annotation', annotated],
  ['its image', knownByImage],
])('a swap that takes longer is told until its end, and nothing more sent: by %s', async (_title, pod) => {
  const namespace = `swapped-${pod.name.toLowerCase()}`;
  const imageSwap = { ...noopImages.HasAll, commands: 'shipped' };
  cluster.emulator.world.placePods([pod(namespace)]);
  const policy = fileOf({ maxGrace: '1m', imageSwap });
  const sweepOnce = () => cluster.sweepIn(namespace, {}, policy, { notebook: undefined });
  const sent = () =>
    cluster.emulator.requests.filter(
      (each) => each.namespace === namespace && (each.method === 'PATCH' || each.subresource === 'exec'),
    ).length;
  const swapUnderWay = { kind: 'StillRunning', because: { kind: 'SwapUnderWay' } };
  const outcomes = (report: SweepReport) =>
    report.pods.flatMap(({ name }) => sidecarOutcome(report, name) ?? []);

  expect(outcomes(await sweepOnce())).toEqual([swapUnderWay]);
  const afterFirst = sent();
  const second = await sweepOnce();
  expect(outcomes(second)).toEqual([swapUnderWay]);
  expect(exitCodeOf(second)).toBe(4);
  expect(sent()).toBe(afterFirst);

  await cluster.simulation.run(cluster.simulation.pass(hour));
  expect(outcomes(await sweepOnce())).toEqual([]);
  const pods = cluster.emulator.world.store.list<Pod>('pods', namespace);
  expect(pods.map(({ status }) => status.phase)).toEqual(['Succeeded']);
});
