import { describe, expect, it } from 'vitest';
import { hasEnded, observe, type Watched } from '../../../../src/apply/wait/observation.ts';
import type { ContainerState, ContainerView } from '../../../../src/model/pod.ts';
import type { Observation, PodReading } from '../../../../src/model/reading.ts';
import { container, exited, now, podView, running, waiting } from '../../../builders/pod-view.ts';

const known = 'containerd://sidecar-0';
const other = 'containerd://sidecar-1';
const sidecar: Watched = { container: 'sidecar', containerId: known };

/** A reading that shows the sidecar in this state. */
function showing(state: ContainerState, more: Partial<ContainerView> = {}): PodReading {
  const containers = [container('main', exited()), container('sidecar', state, more)];
  return { kind: 'Present', pod: podView({ containers }), asOf: now };
}

describe('the instance that was to be ended', () => {
  it.each<readonly [title: string, reading: PodReading, expected: Observation]>([
    ['runs', showing(running), { kind: 'Running' }],
    [
      'has exited, with its code and its time',
      showing(exited(143, now - 5)),
      { kind: 'Exited', exitCode: 143, signal: undefined, finishedAt: now - 5 },
    ],
    [
      'has exited by a signal',
      showing({ kind: 'Terminated', exitCode: 137, signal: 9, reason: 'Error', finishedAt: now }),
      { kind: 'Exited', exitCode: 137, signal: 9, finishedAt: now },
    ],
    [
      'was followed by another one that runs',
      showing(running, { id: other, restartCount: 1, lastExitCode: 143 }),
      { kind: 'Restarted', exitCode: 143, restartCount: 1 },
    ],
    [
      'was followed by another one that has ended as well',
      showing(exited(1), { id: other, restartCount: 2, lastExitCode: 143 }),
      { kind: 'Restarted', exitCode: 143, restartCount: 2 },
    ],
    [
      'has exited and waits out its back-off',
      showing(waiting('CrashLoopBackOff'), { restartCount: 3, lastExitCode: 137 }),
      { kind: 'Restarted', exitCode: 137, restartCount: 3 },
    ],
  ])('%s', (_title, reading, expected) => {
    expect(observe(reading, sidecar)).toEqual(expected);
  });
});

it('is about to be restarted if its restart policy says so, however long the back-off lasts', () => {
  const containers = [container('main', exited()), container('sidecar', exited(143), { restartCount: 2 })];
  const pod = podView({ containers, restartPolicy: 'OnFailure' });
  const restarted = { kind: 'Restarted', exitCode: 143, restartCount: 2 };
  const read = (phase: string) => observe({ kind: 'Present', pod: { ...pod, phase }, asOf: now }, sidecar);
  expect(read('Running')).toEqual(restarted);
  expect(read('Failed')).toMatchObject({ kind: 'Exited', exitCode: 143 });
});

describe('a pod that is not there to be read', () => {
  it.each<PodReading & Observation>([
    { kind: 'Gone' },
    { kind: 'Replaced', uid: 'uid-2' },
    { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'pods is forbidden' } },
  ])('$kind says the same of its container', (reading) => {
    expect(observe(reading, sidecar)).toEqual(reading);
  });
});

describe('a reading that does not speak of the container', () => {
  it('cannot tell what became of one that the pod does not have', () => {
    expect(observe(showing(running), { ...sidecar, container: 'nosuch' })).toMatchObject({
      kind: 'Unreadable',
      problem: { kind: 'Malformed', message: expect.stringContaining('nosuch') },
    });
  });

  it('cannot tell what became of one without a status', () => {
    expect(observe(showing({ kind: 'Unreported' }), sidecar)).toMatchObject({
      kind: 'Unreadable',
      problem: { kind: 'Malformed', message: expect.stringContaining('sidecar') },
    });
  });
});

describe('a container whose image was swapped for one that does nothing', () => {
  const swapped: Watched = { ...sidecar, swappedFor: 'noop:1' };
  it.each<readonly [title: string, reading: PodReading, expected: Observation]>([
    ['runs until the kubelet has ended it', showing(running, { image: 'noop:1' }), { kind: 'Running' }],
    [
      'has ended when the new image has, whatever the code of the old one',
      showing(exited(0, now), { image: 'noop:1', id: other, restartCount: 1, lastExitCode: 137 }),
      { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: now },
    ],
    [
      'runs while the new image does',
      showing(running, { image: 'noop:1', id: other, restartCount: 1, lastExitCode: 137 }),
      { kind: 'Running', swapped: true },
    ],
    [
      'has ended with 128 when the new image lacks its command',
      showing(exited(128, now), { image: 'noop:1', id: other, restartCount: 1, lastExitCode: 143 }),
      { kind: 'Exited', exitCode: 128, signal: undefined, finishedAt: now },
    ],
    [
      'is not started while the new image cannot be pulled',
      showing(waiting('ErrImagePull'), { image: 'noop:1', restartCount: 0, lastExitCode: 0 }),
      { kind: 'NotStarted', reason: 'ErrImagePull' },
    ],
    [
      'was restarted when somebody else has put another image in its place',
      showing(running, { image: 'other:1', id: other, restartCount: 1, lastExitCode: 137 }),
      { kind: 'Restarted', exitCode: 137, restartCount: 1 },
    ],
  ])('%s', (_title, reading, expected) => {
    expect(observe(reading, swapped)).toEqual(expected);
  });
});

describe('what was to be ended', () => {
  const swapped: Watched = { ...sidecar, swappedFor: 'noop:1' };
  it.each<readonly [title: string, reading: PodReading, watched: Watched, expected: boolean]>([
    ['has not while it runs', showing(running), sidecar, false],
    ['has when it exited', showing(exited(143)), sidecar, true],
    ['has when it was restarted', showing(running, { id: other }), sidecar, true],
    ['has with its pod', { kind: 'Gone' }, sidecar, true],
    ['has with a pod that another one replaced', { kind: 'Replaced', uid: 'uid-2' }, sidecar, true],
    [
      'has not as far as anybody knows, when the pod cannot be read',
      { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } },
      sidecar,
      false,
    ],
    [
      'has not while the image in its place does not start',
      showing(waiting('ErrImagePull'), { image: 'noop:1' }),
      swapped,
      false,
    ],
  ])('%s', (_title, reading, watched, expected) => {
    expect(hasEnded(reading, watched)).toBe(expected);
  });
});
