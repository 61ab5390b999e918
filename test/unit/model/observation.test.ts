import { describe, expect, it } from 'vitest';
import {
  asItIsNow,
  hasEnded,
  isSettled,
  nothingSeen,
  observe,
  type Seen,
  see,
  settlingTime,
  soonestSettled,
  type Watched,
} from '../../../src/model/observation.ts';
import type { ContainerState, ContainerView, PodView } from '../../../src/model/pod.ts';
import type { Observation, PodReading } from '../../../src/model/reading.ts';
import { candidate } from '../../builders/plan.ts';
import { container, exited, nativeSidecar, now, podView, running, waiting } from '../../builders/pod-view.ts';

const known = 'containerd://sidecar-0';
const other = 'containerd://sidecar-1';
const sidecar: Watched = { container: 'sidecar', containerId: known };

function showing(state: ContainerState, more: Partial<ContainerView> = {}, phase = 'Running'): PodReading {
  const containers = [container('main', exited()), container('sidecar', state, more)];
  return { kind: 'Present', pod: podView({ containers, phase }), asOf: now };
}

function endedWith(exitCode: number, more: object = {}): Observation {
  return { kind: 'Exited', exitCode, signal: undefined, finishedAt: now, ...more };
}

// biome-ignore format: one row a line
it.each<readonly [title: string, reading: PodReading, expected: Observation]>([
  ['runs', showing(running), { kind: 'Running' }],
  ['has exited, with its code and its time', showing(exited(143, now - 5)), endedWith(143, { finishedAt: now - 5 })],
  ['has exited by a signal', showing({ kind: 'Terminated', exitCode: 137, signal: 9, reason: 'Error', finishedAt: now }), endedWith(137, { signal: 9 })],
  ['was followed by another one that runs', showing(running, { id: other, restartCount: 1, lastExitCode: 143 }), { kind: 'Restarted', exitCode: 143, restartCount: 1 }],
  ['was followed by another one that has ended as well', showing(exited(1), { id: other, restartCount: 2, lastExitCode: 143 }), { kind: 'Restarted', exitCode: 143, restartCount: 2 }],
  ['cannot be found when its pod ends', showing(exited(137, now), { id: undefined, restartCount: 1, lastExitCode: 137 }, 'Failed'), endedWith(137)],
  ['has exited and waits out its back-off', showing(waiting('CrashLoopBackOff'), { restartCount: 3, lastExitCode: 137 }), { kind: 'Restarted', exitCode: 137, restartCount: 3 }],
])('the instance that was to be ended %s', (_title, reading, expected) => {
  expect(observe(reading, sidecar)).toEqual(expected);
});

it('is about to be restarted if its restart policy says so, however long the back-off lasts', () => {
  const containers = [container('main', exited()), container('sidecar', exited(143), { restartCount: 2 })];
  const pod = podView({ containers, restartPolicy: 'OnFailure' });
  const restarted = { kind: 'Restarted', exitCode: 143, restartCount: 2 };
  const read = (more: object) => observe({ kind: 'Present', pod: { ...pod, ...more }, asOf: now }, sidecar);
  expect(read({})).toMatchObject(restarted);
  for (const more of [{ phase: 'Failed' }, { deleting: true }])
    expect(read(more)).toMatchObject({ kind: 'Exited', exitCode: 143 });
});

it('a pod that cannot be read says the same of its container', () => {
  const reading = { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no' } } as const;
  expect(observe(reading, sidecar)).toEqual(reading);
});

it.each<readonly [which: string, container: string, state: ContainerState]>([
  ['one that the pod does not have', 'nosuch', running],
  ['one without a status', 'sidecar', { kind: 'Unreported' }],
])('a reading that does not speak of it cannot tell what became of %s', (_which, name, state) => {
  const problem = { kind: 'Malformed', message: expect.stringContaining(name) };
  expect(observe(showing(state), { ...sidecar, container: name })).toEqual({ kind: 'Unreadable', problem });
});

describe('a container whose image was swapped for one that does nothing', () => {
  const swapped: Watched = { ...sidecar, swappedFor: 'noop:1' };
  const asked = { image: 'noop:1' };
  const started = { ...asked, id: other, restartCount: 1, lastExitCode: 137 };
  const notStarted = (reason: string) => ({ kind: 'NotStarted', reason }) as const;
  // biome-ignore format: one row a line
  it.each<readonly [title: string, reading: PodReading, expected: Observation]>([
    ['runs until the kubelet has ended it', showing(running, asked), { kind: 'Running' }],
    ['has ended when the new image has, whatever the code of the old one', showing(exited(0, now), started), endedWith(0, { swapped: true })],
    ['runs while the new image does', showing(running, started), { kind: 'Running', swapped: true }],
    ['has ended with 128 when the new image lacks its command', showing(exited(128, now), { ...started, lastExitCode: 143 }), endedWith(128, { swapped: true })],
    ['is not started while the new image cannot be pulled', showing(waiting('ErrImagePull'), { ...asked, restartCount: 0, lastExitCode: 0 }), notStarted('ErrImagePull')],
    ['has ended with its pod if the new image could not be started', showing(exited(143, now), asked, 'Failed'), endedWith(143, { unstarted: true })],
    ['cannot be found when its pod ends', showing(exited(137, now), { ...asked, id: undefined }, 'Failed'), endedWith(137, { unstarted: true })],
    ['has ended with 0 and its pod, by itself or for the new image', showing(exited(0, now), asked, 'Succeeded'), endedWith(0)],
    ['had ended by itself before the new image could start', showing(exited(143), asked), { ...notStarted('ContainerCreating'), ended: 143 }],
    ['waits for the new image if it is started again, however it ended', showing(exited(143), { ...asked, restartPolicy: 'Always' }), notStarted('ContainerCreating')],
    ['was restarted when another client has put another image in its place', showing(running, { ...started, image: 'other:1' }), { kind: 'Restarted', exitCode: 137, restartCount: 1 }],
  ])('%s', (_title, reading, expected) => {
    expect(observe(reading, swapped)).toEqual(expected);
  });
});

describe('what was to be ended', () => {
  const swapped: Watched = { ...sidecar, swappedFor: 'noop:1' };
  // biome-ignore format: one row a line
  it.each<readonly [title: string, reading: PodReading, watched: Watched, expected: boolean]>([
    ['has not while it runs', showing(running), sidecar, false],
    ['has when it exited', showing(exited(143)), sidecar, true],
    ['has when it was restarted', showing(running, { id: other }), sidecar, true],
    ['has with its pod', { kind: 'Gone' }, sidecar, true],
    ['has with a pod that another one replaced', { kind: 'Replaced', uid: 'uid-2' }, sidecar, true],
    ['has not as far as is known, when the pod cannot be read', { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } }, sidecar, false],
    ['has not while the image in its place does not start', showing(waiting('ErrImagePull'), { image: 'noop:1' }), swapped, false],
  ])('%s', (_title, reading, watched, expected) => {
    expect(hasEnded(reading, watched)).toBe(expected);
  });
});

function present(more: Partial<PodView>): PodReading {
  return { kind: 'Present', pod: podView(more), asOf: now };
}

function withSidecar(state: PodView['containers'][number]): PodView['containers'] {
  return [container('main', exited()), state];
}

const killed = container('sidecar', exited(143));
const target = sidecar;
const besideOne = [...withSidecar(killed), container('other', running)];

// biome-ignore format: one row a line
it.each<readonly [title: string, reading: PodReading, watched: readonly Watched[], expected: boolean]>([
  ['of a pod that is gone is final', { kind: 'Gone' }, [target], true],
  ['that failed is not', { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } }, [target], false],
  ['of an ended pod is final once its Job has counted it', present({ phase: 'Succeeded', awaitsJobTracking: false }), [target], true],
  ['of an ended pod is not while its Job has yet to count it', present({ phase: 'Failed', awaitsJobTracking: true }), [target], false],
  ['of a pod whose containers have all ended is not: its phase is to follow', present({ containers: withSidecar(container('sidecar', exited(0))) }), [target], false],
  ['of a pod whose sidecar runs on is final', present({ containers: withSidecar(container('sidecar', running)) }), [target], true],
  ['under OnFailure of a sidecar that failed beside one that runs is not: its restart is to follow', present({ restartPolicy: 'OnFailure', containers: besideOne }), [target], false],
  ['under Never of a sidecar that failed beside one that runs is final', present({ containers: besideOne }), [target], true],
  ['under OnFailure of a sidecar that was restarted is final', present({ restartPolicy: 'OnFailure', containers: withSidecar(container('sidecar', running, { id: other })) }), [target], true],
  ['under OnFailure of a sidecar that waits out its back-off is final', present({ restartPolicy: 'OnFailure', containers: withSidecar(container('sidecar', waiting())) }), [target], true],
  ['does not wait for the restart of a sidecar that nothing was sent to', present({ restartPolicy: 'OnFailure', containers: besideOne }), [], true],
])('a reading %s', (_title, reading, watched, expected) => {
  expect(isSettled(reading, watched)).toBe(expected);
});

const main = container('main', exited(0));
const ended = (exitCode: number) => [main, container('sidecar', exited(exitCode))];
const restarted = [main, container('sidecar', running, { restartCount: 1 })];
function shown(...readings: readonly PodReading[]): Seen {
  return readings.reduce((seen, one) => see(seen, candidate(), one), nothingSeen);
}

const gone: PodReading = { kind: 'Gone' };
const untracked = { deleting: true, awaitsJobTracking: false };
const deleted = (exitCode: number) => present({ deleting: true, containers: ended(exitCode) });

// biome-ignore format: one row a line
it.each<readonly [title: string, readings: readonly PodReading[], expected: Partial<Seen>]>([
  ['the last reading alone of a pod that is gone', [{ kind: 'Replaced', uid: 'u' }, gone], { ...nothingSeen, last: gone }],
  ['the last phase of one that is gone', [present({}), present({ phase: 'Failed' }), gone], { phase: 'Failed' }],
  ['no unclean end of a sidecar that runs', [present({ awaitsJobTracking: false })], { hasEndedUnclean: false, isDisrupted: false, isGivenUp: false }],
  ['none of one that ended with 0', [present({ containers: ended(0), restartPolicy: 'OnFailure' }), present({})], { hasEndedUnclean: false }],
  ['that of one that ended with 143', [present({ containers: ended(143) })], { hasEndedUnclean: true }],
  ['also once it runs again', [present({ containers: ended(143) }), present({})], { hasEndedUnclean: true }],
  ['that of one that was restarted under OnFailure', [present({ containers: restarted, restartPolicy: 'OnFailure' }), present({})], { hasEndedUnclean: true }],
  ['none of one that was swapped under Never', [present({ containers: restarted }), present({})], { hasEndedUnclean: false }],
  ['none of one that is missing', [present({ containers: [main] }), present({})], { hasEndedUnclean: false }],
  ['that it was disrupted once', [present({ disrupted: true }), present({})], { isDisrupted: true }],
  ['that it was deleted before a sidecar ended unclean', [present({ deleting: true }), deleted(137)], { isDeletedFirst: true, isGivenUp: false }],
  ['that it was not', [present({ containers: ended(143) }), deleted(137)], { isDeletedFirst: false }],
  ['that its Job gave it up', [present(untracked), present({ ...untracked, phase: 'Succeeded' })], { isGivenUp: true }],
  ['that it did not, if it had succeeded before', [present({ ...untracked, phase: 'Succeeded' })], { isGivenUp: false }],
])('the readings of a pod have shown %s', (_title, readings, expected) => {
  expect(shown(...readings)).toMatchObject(expected);
});

it('the instance that runs now is the one that is meant by a step for any of them', () => {
  const { containers } = podView({ containers: [container('sidecar', running, { id: other })] });
  expect(asItIsNow(sidecar, podView({ containers }))).toEqual({ ...sidecar, containerId: other });
  expect(asItIsNow({ ...sidecar, container: 'nosuch' }, podView())).toMatchObject({ containerId: known });
});

it.each<readonly [string, Partial<PodView>, number | undefined]>([
  ['the phase has yet to follow', { awaitsJobTracking: false, containers: ended(0) }, 600],
  ['its Job has yet to count it', { containers: ended(0) }, 1_600],
  ['the phase is there', { phase: 'Failed', containers: ended(0) }, undefined],
  ['a container runs', {}, undefined],
])('a pod may be settled at the earliest: %s', (_title, more, soonest) => {
  expect(soonestSettled(present(more))).toBe(soonest);
  expect(soonestSettled({ kind: 'Gone' })).toBeUndefined();
  expect(soonestSettled(undefined)).toBeUndefined();
});

it('a pod with native sidecars may take its whole grace, and two seconds for each of them', () => {
  const nativeSidecars = [nativeSidecar('a'), nativeSidecar('b')];
  expect([podView(), podView({ nativeSidecars, grace: 7_000 })].map(settlingTime)).toEqual([10_000, 21_000]);
});
