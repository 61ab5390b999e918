import { expect, it } from 'vitest';
import { sidecarsOf } from '../../../src/report/sweep/planned.ts';
import { fileOf } from '../../builders/policy.ts';
import { noopImages } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import { sidecars, stuckPod } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => SimulatedCluster.start());
const policy = fileOf({ keepLogs: 5, imageSwap: { ...noopImages.HasAll, commands: 'shipped' } });

it.each<readonly [title: string, answer: number | undefined, log: object]>([
  ['is kept in the record first', undefined, { lines: expect.any(Array) }],
  ['does not stop the swap if it cannot be read', 403, { lines: [], problem: expect.any(String) }],
])('on request, the log that a swap takes %s', async (_title, status, log) => {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'forbidden', code: status };
  const { faults, world } = cluster.emulator;
  if (status) faults.add({ subresource: 'log' }, { kind: 'Answer', status, body });
  const namespace = `logs-${status ?? 200}`;
  world.placePods([stuckPod({ namespace, sidecar: sidecars.immune, grace: 2 })]);
  const swept = (await cluster.sweepIn(namespace, {}, policy)).pods.flatMap(sidecarsOf);
  expect(swept.map(({ outcome }) => outcome)).toEqual([{ kind: 'Stopped', exitCode: 0 }]);
  const attempts = swept.flatMap((one) => one.attempts);
  expect(attempts.filter(({ method }) => method === 'ImageSwap')).toMatchObject([{ log }]);
});
