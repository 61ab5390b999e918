import { afterAll, beforeAll, expect, it } from 'vitest';
import { stepSpec } from '../../../src/methods/index.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { sidecarOutcome, sidecars, stuckPod } from '../../kit/stuck-pods.ts';
import { FastCluster, noopImage } from './fast-cluster.ts';

let fast: FastCluster;
beforeAll(async () => {
  fast = await FastCluster.start();
});
afterAll(() => fast.stop());

it.each<readonly [title: string, answer: number | undefined, log: object]>([
  ['is kept in the record first', undefined, { lines: expect.any(Array) }],
  ['does not stop the swap if it cannot be read', 403, { lines: [], problem: expect.any(String) }],
])('on request, the log that a swap takes %s', async (_title, status, log) => {
  const namespace = `logs-${status ?? 200}`;
  fast.emulator.world.placePods([stuckPod({ name: 'a', namespace, sidecar: sidecars.immune, grace: 2 })]);
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'forbidden', code: status };
  const restore = status
    ? fast.emulator.faults.add({ subresource: 'log' }, { kind: 'Answer', status, body })
    : () => undefined;
  const policy = resolvePolicy({ namespaces: [namespace], lastResort: [], keepLogs: 5 }, undefined);
  const lastResort = [stepSpec.parse({ imageSwap: { image: noopImage, commands: 'shipped' } })];
  const report = await fast.sweep({ ...policy, lastResort });
  restore();
  expect(sidecarOutcome(report, 'a')).toEqual({ kind: 'Stopped', exitCode: 0 });
  const swaps = report.pods.flatMap(({ containers }) =>
    containers.flatMap((one) => (one.role === 'Sidecar' ? one.attempts : [])),
  );
  expect(swaps.filter(({ method }) => method === 'ImageSwap')).toMatchObject([{ log }]);
});
