import { describe, expect, it } from 'vitest';
import type { UncleanExit } from '../../../src/model/step.ts';
import type { PolicyFlags } from '../../../src/policy/policy.ts';
import type { PolicyFile } from '../../../src/policy/policy-file.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { fileOf } from '../../builders/policy.ts';
import {
  BEHAVIOUR_ANNOTATION,
  ensureNamespace,
  type LightBehaviour,
  type Pod,
} from '../../kit/emulator/index.ts';
import { notebook } from '../../kit/notebook.ts';
import { noopImages } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import { type JobSpec, promising, promisingIn, shipperImage, stuckJob } from '../../kit/stuck-jobs.ts';
import { podOutcome } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => SimulatedCluster.start());
const endsWith = (exitCode: number): LightBehaviour => ({ on: { SIGTERM: { exitCode, after: 20_000 } } });

interface Case {
  readonly sidecar?: LightBehaviour;
  readonly spec?: JobSpec;
  readonly file?: PolicyFile;
  readonly flags?: Partial<PolicyFlags>;
  readonly restartPolicy?: 'OnFailure';
  /** How long after the stop the next sweep begins. */
  readonly later?: number;
}

/** Stops a sweep soon after it has sent its first step, and sweeps again when that has shown its effect. */
async function stopAndSweep(namespace: string, one: Case) {
  const { sidecar = endsWith(143), spec, file, flags, restartPolicy, later = 50_000 } = one;
  const { emulator, simulation } = cluster;
  ensureNamespace(emulator.world, namespace);
  const create = (name: string) =>
    emulator.world.createJob(
      stuckJob({
        namespace,
        name,
        sidecar,
        image: shipperImage,
        grace: 60,
        ...(restartPolicy && { restartPolicy }),
        spec: { backoffLimit: 6, ...spec },
      }),
    );
  create('first');
  await simulation.run(simulation.pass(10_000));
  const notes = notebook();
  const stop = new AbortController();
  simulation.clock.after(3_000, () => stop.abort('Signal'));
  const sweep = (more: object = {}) =>
    cluster.sweepIn(namespace, { minAge: 0, ...flags }, file, { notebook: notes, ...more });
  const cut = await sweep({ stop });
  await simulation.run(simulation.pass(later));
  create('second');
  await simulation.run(simulation.pass(10_000));
  return { cut, sweep };
}

const harms = ({ warnings }: SweepReport) =>
  warnings.flatMap((one) => (one.kind === 'JobHarmed' ? [one] : []));
const podOf = (namespace: string, job: string) =>
  cluster.emulator.world.store
    .list<Pod>('pods', namespace)
    .findLast(({ metadata }) => metadata.name.startsWith(`${job}-`))?.metadata.name;

describe('a sidecar that ends after its sweep was stopped', () => {
  it('with 143 although it was to end with 0: the next sweep tells it, once, and trusts the promise no more', async () => {
    const { cut, sweep } = await stopAndSweep('broken', { file: promising });
    expect(harms(cut)).toEqual([]);
    const harm = { job: 'first', harm: 'RunsAgain', expected: true, earlier: true };
    const dry = await sweep({ dryRun: true });
    expect(harms(dry)).toMatchObject([harm]);
    const next = await sweep();
    expect(harms(next)).toMatchObject([harm]);
    expect(podOutcome(next, podOf('broken', 'second'))).toEqual({ kind: 'Blocked', reason: 'PromiseBroken' });
    expect(harms(await sweep())).toEqual([]);
  });

  it('with 143 under OnFailure, so that its Job fails and removes the pod: the next sweep tells it', async () => {
    const { sweep } = await stopAndSweep('removed', {
      flags: { uncleanExit: 'allow' },
      restartPolicy: 'OnFailure',
      spec: { backoffLimit: 0 },
    });
    expect(podOf('removed', 'first')).toBeUndefined();
    const harm = { job: 'first', harm: 'JobFailed', earlier: true };
    expect(harms(await sweep())).toMatchObject([harm, {}]);
    expect(harms(await sweep())).toMatchObject([{ job: 'second' }]);
  });
});

describe('a kubelet that tells two minutes late that a sidecar has ended', () => {
  const slow = startedOnce(() => SimulatedCluster.start({ lag: 120_000 }));
  const file = promisingIn([{ signal: ['TERM'], exitCode: 0, grace: '10s' }]);

  it('keeps its sweep from seeing the harm: the next one tells it, once', async () => {
    const { emulator, simulation } = slow;
    ensureNamespace(emulator.world, 'late');
    const sidecar: LightBehaviour = { on: { SIGTERM: { exitCode: 143, after: 5_000 } } };
    emulator.world.createJob(
      stuckJob({ namespace: 'late', sidecar, image: shipperImage, grace: 60, spec: { backoffLimit: 6 } }),
    );
    await simulation.run(simulation.pass(130_000));
    const notes = notebook();
    const sweep = () => slow.sweepIn('late', { minAge: 0 }, file, { notebook: notes });
    expect(harms(await sweep())).toEqual([]);
    await simulation.run(simulation.pass(130_000));
    expect(harms(await sweep())).toMatchObject([{ harm: 'RunsAgain', expected: true, earlier: true }]);
    expect(harms(await sweep())).toEqual([]);
  });
});

/** One pod with two sidecars, which a sweep that was stopped has sent TERM, and how to sweep again. */
async function stopWithTwo(namespace: string, sidecar: LightBehaviour, other: LightBehaviour) {
  const { emulator, simulation } = cluster;
  const manifest = stuckJob({
    namespace,
    sidecar,
    image: shipperImage,
    grace: 60,
    spec: { backoffLimit: 6 },
    annotations: {
      'sidecar-sweeper.dev/sidecars': 'sidecar,other',
      [BEHAVIOUR_ANNOTATION]: JSON.stringify({ main: { ends: { exitCode: 0, after: 10 } }, sidecar, other }),
    },
  });
  manifest.spec.template.spec.containers.push({ name: 'other', image: 'docker.io/acme/other:1' });
  ensureNamespace(emulator.world, namespace);
  emulator.world.createJob(manifest);
  await simulation.run(simulation.pass(10_000));
  const notes = notebook();
  const sweep = (more: object, mode: UncleanExit = 'allow', file?: PolicyFile) =>
    cluster.sweepIn(namespace, { minAge: 0, uncleanExit: mode }, file, { notebook: notes, ...more });
  const stopAfter = (time: number) => {
    const stop = new AbortController();
    simulation.clock.after(time, () => stop.abort('Signal'));
    return { stop };
  };
  return { sweep, stopAfter, pass: (time: number) => simulation.run(simulation.pass(time)) };
}

describe('two sidecars of one pod that end after their sweep was stopped', () => {
  const harm = { job: 'work', harm: 'RunsAgain' };
  const endsAfter = (after: number): LightBehaviour => ({ on: { SIGTERM: { exitCode: 143, after } } });
  type Sweep = Awaited<ReturnType<typeof stopWithTwo>>['sweep'];
  const careful = (sweep: Sweep, file?: PolicyFile) => sweep({}, 'forbid', file);

  it('one before the stop: the harm that the stopped sweep has told is repeated once', async () => {
    const { sweep, stopAfter, pass } = await stopWithTwo('one-before', endsAfter(1_000), endsAfter(50_000));
    expect(harms(await sweep(stopAfter(6_000)))).toMatchObject([harm]);
    expect(harms(await careful(sweep))).toMatchObject([{ ...harm, earlier: true }]);
    await pass(60_000);
    expect(harms(await careful(sweep))).toEqual([]);
  });

  it('one after the other: their harm is told once', async () => {
    const { sweep, stopAfter, pass } = await stopWithTwo('one-by-one', endsAfter(20_000), endsAfter(50_000));
    expect(harms(await sweep(stopAfter(3_000)))).toEqual([]);
    await pass(30_000);
    expect(harms(await careful(sweep))).toMatchObject([{ ...harm, earlier: true }]);
    await pass(50_000);
    expect(harms(await careful(sweep))).toEqual([]);
  });

  it('one to which the next sweep has sent something: the harm that the other does is told', async () => {
    const { sweep, stopAfter, pass } = await stopWithTwo('one-more', endsAfter(50_000), endsWith(0));
    expect(harms(await sweep(stopAfter(3_000)))).toEqual([]);
    const steps = [{ signal: ['TERM'], exitCode: 0 }];
    const file = fileOf({
      profiles: [{ name: 'other', containers: ['other'], images: ['acme/other'], steps }],
    });
    const more = await careful(sweep, file);
    expect(more.pods[0]?.containers.filter(({ role }) => role === 'Sidecar')).toMatchObject([
      {},
      { outcome: { kind: 'Stopped', exitCode: 0 } },
    ]);
    await pass(60_000);
    expect(harms(await careful(sweep))).toMatchObject([{ ...harm, earlier: true }]);
  });
});

it('a swap for an image that cannot be pulled: the next sweep tells the harm, and swaps no other pod', async () => {
  const { image } = noopImages.Missing;
  const file = fileOf({ imageSwap: { image, commands: 'shipped' } });
  const { cut, sweep } = await stopAndSweep('swap', { file });
  expect(harms(cut)).toEqual([]);
  const next = await sweep();
  expect(harms(next)).toMatchObject([{ job: 'first', harm: 'RunsAgain', expected: true, earlier: true }]);
  const blocked = { kind: 'Blocked', reason: 'NoopDoesNotStart' };
  expect(podOutcome(next, podOf('swap', 'second'))).toEqual(blocked);
});
