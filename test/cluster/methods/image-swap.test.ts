import { describe, expect, it } from 'vitest';
import type { SweepReport } from '../../../src/report/schema.ts';
import { sidecarsOf } from '../../../src/report/sweep/planned.ts';
import { fileOf } from '../../builders/policy.ts';
import { BEHAVIOUR_ANNOTATION } from '../../kit/emulator/index.ts';
import { noopImages, sleep } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import { container, ownedBy, type StuckPod, sidecars, stuckPod } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => SimulatedCluster.start());

const imageSwap = { ...noopImages.HasAll, commands: 'shipped' };
const own = { command: ['/opt/own'] };
/** The last resort for programs of which nothing says that the other image has them. */
const lastResort = [{ imageSwap: { ...noopImages.HasAll, commands: own.command } }];
/** Its owner may run it again, so that an image is not tried of which nothing says that it has its program. */
const mayRunAgain = ownedBy('Run', 'a', 'a', 'acme.example/v1');
const stopped = { kind: 'Stopped', exitCode: 0 };

/** Sweeps a pod whose sidecars end by a swap alone. */
function sweep(namespace: string, pod: StuckPod, policy: object): Promise<SweepReport> {
  const { world } = cluster.emulator;
  world.placePods([stuckPod({ name: 'a', namespace, sidecar: sidecars.immune, grace: 2, ...pod })]);
  return cluster.sweepIn(namespace, {}, fileOf(policy));
}

const outcomesOf = ({ pods }: SweepReport) => pods.flatMap(sidecarsOf).map(({ outcome }) => outcome);

it.each<readonly [title: string, answer: number | undefined, log: object]>([
  ['is kept in the record first', undefined, { lines: expect.any(Array) }],
  ['does not stop the swap if it cannot be read', 403, { lines: [], problem: expect.any(String) }],
])('on request, the log that a swap takes %s', async (_title, status, log) => {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'forbidden', code: status };
  if (status) cluster.emulator.faults.add({ subresource: 'log' }, { kind: 'Answer', status, body });
  const report = await sweep(`logs-${status ?? 200}`, {}, { keepLogs: 5, imageSwap });
  expect(outcomesOf(report)).toEqual([stopped]);
  const attempts = report.pods.flatMap(sidecarsOf).flatMap((one) => one.attempts);
  expect(attempts.filter(({ method }) => method === 'ImageSwap')).toMatchObject([{ log }]);
});

it('a last resort may swap for another image than the one that the API server was asked about', async () => {
  const containers = ['main', 'sidecar'].map((name) => container(name, own));
  const pod = { metadata: mayRunAgain, spec: { containers } };
  const report = await sweep('another', pod, { imageSwap: noopImages.HasNone, lastResort });
  expect(outcomesOf(report)).toEqual([stopped]);
});

describe('two sidecars of a pod', () => {
  const running = { kind: 'running', startedAt: new Date(Date.now() - 7_200_000) } as const;
  const two: StuckPod = {
    states: { other: running },
    annotations: {
      'sidecar-sweeper.dev/sidecars': 'sidecar,other',
      [BEHAVIOUR_ANNOTATION]: JSON.stringify({ sidecar: sidecars.immune, other: sidecars.immune }),
    },
  };

  it('are each swapped for the image that is meant for it', async () => {
    const containers = [
      container('main'),
      container('sidecar', { command: [sleep] }),
      container('other', own),
    ];
    const steps = [{ imageSwap: noopImages.SaysSome }];
    const profiles = [{ name: 'known', containers: ['sidecar'], images: ['busybox'], steps }];
    const pod = { ...two, metadata: mayRunAgain, spec: { containers } };
    const report = await sweep('two-images', pod, { profiles, lastResort });
    expect(outcomesOf(report)).toEqual([stopped, stopped]);
  });

  it('are swapped with one patch', async () => {
    const containers = ['main', 'sidecar', 'other'].map((name) => container(name));
    expect(outcomesOf(await sweep('two', { ...two, spec: { containers } }, { imageSwap }))).toEqual([
      stopped,
      stopped,
    ]);
    const { requests } = cluster.emulator;
    const patches = requests.filter(({ namespace, verb }) => namespace === 'two' && verb === 'patch');
    // The first asks the API server whether it would admit the swap.
    expect(patches.map(({ path }) => path.includes('dryRun=All'))).toEqual([true, false]);
  });
});
