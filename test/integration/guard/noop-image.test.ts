import { afterAll, beforeAll, expect, it } from 'vitest';
import { stepSpec } from '../../../src/methods/index.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { sidecarOutcome, sidecars, stuckPod } from '../../kit/stuck-pods.ts';
import { FastCluster, noopImage } from './fast-cluster.ts';

const missing = 'registry.example/missing:1';
const names = ['a', 'b', 'c', 'd'];

let fast: FastCluster;
beforeAll(async () => {
  fast = await FastCluster.start((_pod, { image }) => (image === missing ? { image: 'missing' } : undefined));
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
  const lastResort = [stepSpec.parse({ imageSwap: { image: noopImage } })];
  const report = await fast.sweep({ ...policy, lastResort });
  restore();
  expect(sidecarOutcome(report, 'a')).toEqual({ kind: 'Stopped', exitCode: 0 });
  const swaps = report.pods.flatMap(({ containers }) =>
    containers.flatMap((one) => (one.role === 'Sidecar' ? one.attempts : [])),
  );
  expect(swaps.filter(({ method }) => method === 'ImageSwap')).toMatchObject([{ log }]);
});

function sweepAgain(namespace: string, image: string) {
  const policy = resolvePolicy({ namespaces: [namespace], lastResort: [] }, undefined);
  return fast.sweep({ ...policy, lastResort: [stepSpec.parse({ imageSwap: { image } })] });
}

/** Sweeps pods that only an image swap can end. Returns their outcomes and the number of swapped pods. */
async function swapAll(namespace: string, image: string) {
  const before = fast.emulator.requests.length;
  fast.emulator.world.placePods(
    names.map((name) => stuckPod({ name, namespace, sidecar: sidecars.immune, grace: 2 })),
  );
  const report = await sweepAgain(namespace, image);
  const patches = fast.emulator.requests
    .slice(before)
    .filter(({ method, path }) => method === 'PATCH' && !path.includes('dryRun'));
  return { outcomes: names.map((name) => sidecarOutcome(report, name)), patches: patches.length };
}

it('all pods are swapped after the no-op image has run in the first', async () => {
  const { outcomes, patches } = await swapAll('runs', noopImage);
  expect(outcomes).toEqual(names.map(() => ({ kind: 'Stopped', exitCode: 0 })));
  expect(patches).toBe(names.length);
});

it('only one pod is swapped if the no-op image cannot be pulled', async () => {
  const { outcomes, patches } = await swapAll('missing', missing);
  expect(patches).toBe(1);
  expect(outcomes.map((outcome) => outcome?.kind).sort()).toEqual([
    'NotStarted',
    'StillRunning',
    'StillRunning',
    'StillRunning',
  ]);
  expect(outcomes.filter((outcome) => outcome?.kind === 'StillRunning')).toEqual(
    Array(3).fill({ kind: 'StillRunning', because: { kind: 'Held', reason: 'NoopDoesNotStart' } }),
  );
});

it('the pod of a no-op image that cannot be pulled is named by every later sweep, with what it waits for', async () => {
  await swapAll('later', missing);
  const { totals, notStartedAgain } = await sweepAgain('later', missing);
  expect(totals).toMatchObject({ candidates: names.length - 1, notStartedAgain: 1 });
  expect(notStartedAgain).toMatchObject([
    {
      namespace: 'later',
      waiting: [{ name: 'sidecar', image: missing, reason: expect.stringMatching(/Pull/) }],
    },
  ]);
});
