import { describe, expect, it } from 'vitest';
import type { PolicyFlags } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { fileOf } from '../../builders/policy.ts';
import { ensureNamespace, type LightBehaviour, type Pod } from '../../kit/emulator/index.ts';
import { notebook } from '../../kit/notebook.ts';
import { noopImages } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import { type JobSpec, promising, shipperImage, stuckJob } from '../../kit/stuck-jobs.ts';
import { podOutcome } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => SimulatedCluster.start());
const endsWith = (exitCode: number): LightBehaviour => ({ on: { SIGTERM: { exitCode, after: 20_000 } } });

interface Case {
  readonly sidecar?: LightBehaviour;
  readonly spec?: JobSpec;
  readonly file?: ReturnType<typeof fileOf>;
  readonly flags?: Partial<PolicyFlags>;
}

/** Stops a sweep soon after it has sent its first step, and sweeps again when that has shown its effect. */
async function stopAndSweep(namespace: string, { sidecar = endsWith(143), spec, file, flags }: Case) {
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
  await simulation.run(simulation.pass(50_000));
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

  it('with 0, as promised: others follow', async () => {
    const { sweep } = await stopAndSweep('kept', { sidecar: endsWith(0), file: promising });
    const next = await sweep();
    expect(harms(next)).toEqual([]);
    expect(podOutcome(next, podOf('kept', 'second'))).toMatchObject({ phase: 'Succeeded' });
  });

  it('with 143 where that is allowed: the next sweep tells that the Job has failed', async () => {
    const allowed = { flags: { uncleanExit: 'allow' }, spec: { backoffLimit: 0 } } as const;
    const { sweep } = await stopAndSweep('allowed', allowed);
    const [first] = harms(await sweep());
    expect(first).toMatchObject({ job: 'first', harm: 'JobFailed', expected: true, earlier: true });
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
