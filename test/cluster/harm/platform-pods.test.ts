import { expect, it } from 'vitest';
import type { PolicyFile } from '../../../src/policy/policy-file.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import { promisingIn } from '../../kit/stuck-jobs.ts';
import { podOutcome, sidecars, stuckPod } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => SimulatedCluster.start());

const task = { kubernetes_pod_operator: 'True' };

/** Sweeps a pod that nothing owns, and whose sidecar ends with 143 on TERM. */
async function sweep(
  namespace: string,
  labels: Record<string, string>,
  file?: PolicyFile,
): Promise<SweepReport> {
  cluster.emulator.world.placePods([stuckPod({ namespace, labels, sidecar: sidecars.unclean })]);
  return cluster.sweepIn(namespace, {}, file);
}

it('a task of Airflow is not failed', async () => {
  const report = await sweep('blocked', task);
  expect(report.pods).toMatchObject([{ uncleanCost: { kind: 'Job', because: 'Platform' } }]);
  expect(podOutcome(report)).toMatchObject({ kind: 'Blocked' });
  const { store } = cluster.emulator.world;
  expect(store.get('pods', 'blocked', 'stuck')).toMatchObject({ status: { phase: 'Running' } });
});

it('it fails if its profile promises an exit code that it does not keep, and the exit code is 7', async () => {
  const file = promisingIn([{ signal: ['TERM'], exitCode: 0 }], 'local/busybox');
  const report = await sweep('promised', task, file);
  expect(report.pods.map(({ harm }) => harm)).toEqual([{ kind: 'PodFailed', permitted: false }]);
  expect(report.totals.harm).toEqual({ PodFailed: 1 });
  expect(report.warnings.flatMap((one) => (one.kind === 'PodHarmed' ? [one.name] : []))).toEqual(['stuck']);
  expect(exitCodeOf(report)).toBe(7);
});
