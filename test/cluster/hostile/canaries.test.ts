import { afterEach, expect, it } from 'vitest';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { images, jobOf, type TenantJob } from './tenants.ts';

const [image = ''] = images;
const tenants = ['tenant-0', 'tenant-1', 'tenant-2', 'tenant-3', 'tenant-4'];
const timeToFill = 15_000;

let cluster: SimulatedCluster;
afterEach(() => cluster?.stop());

/** Sweeps Jobs whose sidecars are all started alike, on a kubelet that reports so many milliseconds late. */
async function sweepAlike(lag: number, jobs: readonly Omit<TenantJob, 'sidecar'>[]): Promise<SweepReport> {
  cluster = await SimulatedCluster.start({ lag });
  const { emulator, simulation } = cluster;
  for (const job of jobs) {
    ensureNamespace(emulator.world, job.namespace);
    emulator.world.createJob(jobOf({ ...job, sidecar: { image, command: ['agent'] } }));
  }
  await simulation.run(simulation.pass(timeToFill));
  const policy = resolvePolicy({ namespaces: [], minAge: 0, lastResort: [] }, undefined);
  return simulation.run(cluster.sweep('alike', policy, () => undefined));
}

const ended = { kind: 'Ended', phase: 'Succeeded' };

it('a kubelet that reports an end later than the grace period makes no canary look as if it had not ended', async () => {
  const clean = tenants.map((namespace) => ({ namespace, name: 'job', grace: 1 }));
  const { pods } = await sweepAlike(8_000, clean);
  expect(pods.map(({ outcome }) => outcome)).toMatchObject(tenants.map(() => ended));
});

it('nobody in any namespace follows a canary that has not ended: it may still do so uncleanly', async () => {
  const slow = { on: { SIGTERM: { exitCode: 1, after: 60_000 } } };
  const jobs = tenants.map((namespace) => ({ namespace, name: 'job', behaviour: slow, grace: 1 }));
  const { pods } = await sweepAlike(0, jobs);
  const told = pods.filter(({ containers }) =>
    containers.some((one) => one.role === 'Sidecar' && one.attempts.some(isAccepted)),
  );
  expect(pods).toHaveLength(tenants.length);
  expect(told).toHaveLength(1);
});

function isAccepted({ result }: { readonly result: { readonly kind: string } }): boolean {
  return result.kind === 'Accepted';
}
