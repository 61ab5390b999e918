import { expect, it } from 'vitest';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { noopImages } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import { sidecarOutcome, sidecars, stuckPod } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => SimulatedCluster.start());

it.each<readonly [title: string, answer: number | undefined, log: object]>([
  ['is kept in the record first', undefined, { lines: expect.any(Array) }],
  ['does not stop the swap if it cannot be read', 403, { lines: [], problem: expect.any(String) }],
])('on request, the log that a swap takes %s', async (_title, status, log) => {
  const namespace = `logs-${status ?? 200}`;
  const { emulator, simulation } = cluster;
  emulator.world.placePods([stuckPod({ name: 'a', namespace, sidecar: sidecars.immune, grace: 2 })]);
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'forbidden', code: status };
  if (status) emulator.faults.add({ subresource: 'log' }, { kind: 'Answer', status, body });
  const { image } = noopImages.HasAll;
  const flags = { namespaces: [namespace], lastResort: [], keepLogs: 5 };
  const policy = resolvePolicy({ ...flags, noopImage: image, noopPrograms: 'shipped' }, undefined);
  const report = await simulation.run(cluster.sweep(namespace, policy, () => undefined));
  expect(sidecarOutcome(report, 'a')).toEqual({ kind: 'Stopped', exitCode: 0 });
  const swaps = report.pods.flatMap(({ containers }) =>
    containers.flatMap((one) => (one.role === 'Sidecar' ? one.attempts : [])),
  );
  expect(swaps.filter(({ method }) => method === 'ImageSwap')).toMatchObject([{ log }]);
});
