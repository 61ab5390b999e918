import { afterEach, expect, it } from 'vitest';
import { resolvePolicy, type SweepReport } from '../../../src/index.ts';
import { ensureNamespace } from '../../emulator/index.ts';
import { SimulatedCluster } from '../../properties/simulated-cluster.ts';
import { sidecars } from '../stuck-pods.ts';
import { images, jobOf, type TenantJob } from './tenants.ts';

const [image = ''] = images;
const tenants = ['tenant-0', 'tenant-1', 'tenant-2', 'tenant-3', 'tenant-4'];
const timeToFill = 15_000;

let cluster: SimulatedCluster;
afterEach(() => cluster?.stop());

/** Sweeps Jobs whose sidecars are all started alike, on a kubelet that reports so many milliseconds late. */
async function sweepAlike(lag: number, jobs: readonly Omit<TenantJob, 'sidecar'>[]): Promise<SweepReport> {
  cluster = await SimulatedCluster.start(lag);
  const { emulator, simulation } = cluster;
  for (const job of jobs) {
    ensureNamespace(emulator.world, job.namespace);
    emulator.world.createJob(jobOf({ ...job, sidecar: { image, command: ['agent'] } }));
  }
  await simulation.run(simulation.pass(timeToFill));
  const policy = resolvePolicy({ namespaces: [], minAge: 0, lastResort: [] }, undefined);
  return simulation.run(cluster.sweep('alike', policy, () => undefined));
}

const outcomesBeside = (hostile: string, { pods }: SweepReport) =>
  pods.flatMap(({ namespace, outcome }) => (namespace === hostile ? [] : [outcome]));

const ended = { kind: 'Ended', phase: 'Succeeded' };

it('a kubelet that reports an end later than the grace period makes no canary look as if it had not ended', async () => {
  const clean = tenants.map((namespace) => ({ namespace, name: 'job', grace: 1 }));
  const { pods } = await sweepAlike(8_000, clean);
  expect(pods.map(({ outcome }) => outcome)).toMatchObject(tenants.map(() => ended));
});

it('a tenant whose canary does not end holds back nobody in another namespace', async () => {
  const hostile = { namespace: 'a-hostile', behaviour: sidecars.stubborn, grace: 1 };
  const clean = tenants.map((namespace) => ({ namespace, name: 'job', grace: 1 }));
  const report = await sweepAlike(0, [
    { ...hostile, name: 'first' },
    { ...hostile, name: 'second' },
    ...clean,
  ]);
  expect(outcomesBeside('a-hostile', report)).toMatchObject(tenants.map(() => ended));
  expect(report.totals.pods).toMatchObject({ Ended: tenants.length });
  // The tenant's own second pod may have been held before anybody else showed how the program ends.
  expect(report.pods.find(({ name }) => name.startsWith('first'))?.outcome).toEqual({ kind: 'Stuck' });
});
