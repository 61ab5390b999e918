import { expect, it } from 'vitest';
import { podOutcome, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = TestCluster.startedOnce();

const phaseOf = (namespace: string, name: string) =>
  Object(cluster.emulator.world.store.get('pods', namespace, name)?.['status']).phase;

it.each([
  ['by-name', ['-n', 'by-name', 'one', 'pod/two']],
  ['by-both', ['by-both/one', 'by-both/two']],
  ['by-name-twice', ['-n', 'by-name-twice', 'one', 'pod/two', 'by-name-twice/one']],
])('a sweep of named pods acts on these alone, and lists none: %s', async (namespace, words) => {
  cluster.emulator.world.placePods(['one', 'two', 'other'].map((name) => stuckPod({ namespace, name })));
  const before = cluster.emulator.requests.length;
  const { run, report } = await cluster.sweepHere(['sweep', ...words]);
  expect(run.exitCode).toBe(0);
  expect(report.scope.pods).toEqual([`${namespace}/one`, `${namespace}/two`]);
  expect(report.totals).toMatchObject({ listed: 2, candidates: 2 });
  for (const name of ['one', 'two']) expect(podOutcome(report, name)).toMatchObject({ kind: 'Ended' });
  expect(phaseOf(namespace, 'other')).toBe('Running');
  const listed = cluster.emulator.requests
    .slice(before)
    .filter(({ verb, resource, subresource }) => verb === 'list' && resource === 'pods' && !subresource);
  expect(listed).toEqual([]);
});

it('says why a named pod is left alone, and sweeps the others', async () => {
  const namespace = 'left';
  cluster.emulator.world.placePods([
    stuckPod({ namespace, name: 'young', endedMinutesAgo: 1 }),
    stuckPod({ namespace, name: 'stuck' }),
  ]);
  const argv = ['sweep', '-n', namespace, 'young', 'stuck'];
  const { run, report } = await cluster.sweepHere(argv);
  expect(run.exitCode).toBe(0);
  expect(podOutcome(report)).toMatchObject({ kind: 'Ended' });
  expect(report.excluded).toMatchObject([{ name: 'young', because: [{ kind: 'TooYoung' }] }]);
  const { stdout } = await cluster.runHere([...argv, '-o', 'table']);
  expect(stdout).toMatch(/^left alone: left\/young: .*\(TooYoung\)$/m);
  expect(stdout).toMatch(/^left alone: left\/stuck: .*\(NotRunning\)/m);
});

it('a named pod that does not exist is an error, and the others are swept', async () => {
  const namespace = 'missing';
  cluster.emulator.world.placePods([stuckPod({ namespace })]);
  const { run, report } = await cluster.sweepHere(['sweep', `${namespace}/stuck`, `${namespace}/gone`]);
  expect(run.exitCode).toBe(3);
  expect(podOutcome(report)).toMatchObject({ kind: 'Ended' });
  expect(report.unread).toMatchObject([{ what: 'Pod', message: 'the pod missing/gone does not exist' }]);
});
