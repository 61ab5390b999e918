import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { podListBytes } from '../../builders/pods-in-protobuf.ts';
import { ensureNamespace, type FaultAction } from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import { podOutcome, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

/** That of the CronJob in the manifests, in MiB. */
const env = { NODE_OPTIONS: '--max-old-space-size=384' };
const annotationOf = (bytes: number) => ({ 'example.com/notes': 'x'.repeat(bytes) });

const cluster = startedOnce(() => {
  const notes = annotationOf(250_000);
  const fat = Array.from({ length: 500 }, (_, index) =>
    stuckPod({ namespace: 'fat', name: `fat-${index}`, annotations: notes }),
  );
  return TestCluster.start([...fat, stuckPod({ namespace: 'thin' })]);
});
beforeAll(async () => {
  for (const namespace of ['fat', 'thin']) ensureNamespace(cluster.emulator.world, namespace);
});
beforeEach(() => cluster.emulator.faults.clear());

it('500 pods with 250 KB of annotations each are swept within the memory of the manifests', async () => {
  const { run, report } = await cluster.sweep(['-n', 'fat', '--max-pods', '1000'], { env });
  expect(run.exitCode).toBe(0);
  expect(report.pods.filter(({ outcome }) => outcome.kind === 'Ended')).toHaveLength(500);
}, 300_000);

it('a pod of 3 MB is undecided, and the others are swept', async () => {
  const { world } = cluster.emulator;
  ensureNamespace(world, 'mixed');
  world.placePods([
    ...['a', 'c'].map((name) => stuckPod({ namespace: 'mixed', name })),
    stuckPod({ namespace: 'mixed', name: 'b', annotations: annotationOf(3_000_000) }),
  ]);
  const { report } = await cluster.sweep(['-n', 'mixed'], { env });
  expect(['a', 'c'].map((name) => podOutcome(report, name)?.kind)).toEqual(['Ended', 'Ended']);
  expect(report.undecided).toMatchObject([
    { namespace: 'mixed', name: 'b', problem: expect.stringContaining('TooLarge') },
  ]);
}, 120_000);

/** A list that says that it is 4 GiB long, and a field of it that is as long as this. */
const list = Buffer.concat([
  podListBytes([]).subarray(0, 19),
  Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f]),
]);
const notAPod = Buffer.from([0x12, 0x80, 0x80, 0x04, ...Buffer.alloc(65_536)]);
const endless: Readonly<Record<string, FaultAction>> = {
  'of spaces': { kind: 'EndlessBody', begins: '', repeats: ' ' },
  'of one pod': {
    kind: 'EndlessBody',
    begins: Buffer.concat([list, Buffer.from([0x12, 0x80, 0x80, 0x80, 0x80, 0x04])]),
    repeats: 'x',
  },
  'of many pods': { kind: 'EndlessBody', begins: list, repeats: notAPod },
};

describe('a body without an end does not fill the memory:', () => {
  it.each(Object.entries(endless))(
    'a list %s',
    async (_title, fault) => {
      cluster.emulator.faults.add({ resource: 'pods', verb: 'list' }, fault);
      const run = await cluster.run(['-n', 'thin', '--no-lock'], { env });
      expect(run.exitCode).toBe(3);
      expect(run.stderr).toMatch(/MiB|not pods|not a PodList/);
    },
    300_000,
  );

  it('the pod that is read before anything is sent', async () => {
    cluster.emulator.faults.add(
      { resource: 'pods', verb: 'get', subresource: '' },
      endless['of spaces'] ?? { kind: 'Drop' },
    );
    const { report } = await cluster.sweep(['-n', 'thin', '--no-lock'], { env });
    expect(podOutcome(report)).toEqual({ kind: 'Stuck' });
  }, 300_000);
});
