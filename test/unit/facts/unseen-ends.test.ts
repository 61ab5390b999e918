import { describe, expect, it } from 'vitest';
import { hashOf, readNotes } from '../../../src/facts/notes.ts';
import { learnUnseenEnds } from '../../../src/facts/unseen-ends.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { JobReading, PodReading } from '../../../src/model/reading.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { jobView } from '../../builders/job.ts';
import { container, exited, hour, now, podView, running, waiting } from '../../builders/pod-view.ts';
import { notebook } from '../../kit/notebook.ts';

const stop = new AbortController().signal;
const clock = { now: () => now, sleep: async () => undefined };
const image = 'registry.example/noop:1';
const unread: JobReading = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'too slow' } };
const failedWith = (failed: string): JobReading => ({ kind: 'Present', job: jobView({ failed }) });

/** What a sweep learns from this reading of a pod, and how many notes on it the next one finds. */
async function learn(reading: PodReading, swappedFor?: string, due = now + hour, job?: JobReading) {
  const { namespace, name: pod, uid } = podView().ref;
  const watched = { container: 'sidecar', containerId: 'containerd://sidecar-0', swappedFor };
  const harm = job
    ? ({ job: 'work', uid: 'job', kind: 'JobFailed' } as const)
    : ({ job: 'work', kind: 'RunsAgain' } as const);
  const book = notebook();
  const first = await readNotes(book, clock, stop);
  const promises = [hashOf('promise')];
  first.add({ kind: 'Unseen', namespace, pod, uid, ...watched, promises, harm, at: now, due });
  await first.written(stop);
  const notes = await readNotes(book, clock, stop);
  const cluster = clusterWith({ readPod: async () => reading });
  const harms = await learnUnseenEnds(notes, {
    cluster,
    clock,
    slots: createSlots(1),
    stop,
    jobs: { read: async () => job ?? unread },
  });
  await notes.written(stop);
  const left = (await readNotes(book, clock, stop)).unseen;
  return [notes.isBroken('promise') ? 'broken' : 'kept', harms.length, left.length];
}

function present(
  state: ContainerView['state'],
  pod: Partial<PodView> = {},
  more: Partial<ContainerView> = {},
) {
  const containers = [container('main', exited()), container('sidecar', state, more)];
  return { kind: 'Present', pod: podView({ phase: 'Failed', containers, ...pod }), asOf: now } as const;
}

const noop = { id: 'containerd://noop', image };
const runs = { phase: 'Running' };

// biome-ignore format: one row a line
it.each<readonly [title: string, reading: PodReading, swappedFor: string | undefined, learnt: readonly [string, number, number]]>([
  ['ended with 0', present(exited(0)), undefined, ['kept', 0, 0]],
  ['ended with 143', present(exited(143)), undefined, ['broken', 1, 0]],
  ['was killed', present(exited(137)), undefined, ['kept', 1, 0]],
  ['ended with 143 when its pod was deleted', present(exited(143), { deleting: true }), undefined, ['kept', 0, 0]],
  ['ended with 143 when its node was drained', present(exited(143), { disrupted: true }), undefined, ['kept', 0, 0]],
  ['was started again after 143', present(running, runs, { id: 'containerd://sidecar-1', lastExitCode: 143 }), undefined, ['broken', 1, 0]],
  ['was started again', present(running, runs, { id: 'containerd://sidecar-1' }), undefined, ['kept', 0, 0]],
  ['still runs', present(running, runs), undefined, ['kept', 0, 1]],
  ['cannot be read', { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'too slow' } }, undefined, ['kept', 0, 1]],
  ['is gone', { kind: 'Gone' }, undefined, ['kept', 0, 0]],
  ['is in a pod of the same name', { kind: 'Replaced', uid: 'other' }, undefined, ['kept', 0, 0]],
  ['got a no-op image, which ended with 0', present(exited(0), {}, noop), image, ['kept', 0, 0]],
  ['got a no-op image, which lacks its program', present(exited(128), {}, noop), image, ['broken', 1, 0]],
  ['waits for a no-op image', present(waiting('ContainerCreating'), runs, noop), image, ['kept', 0, 1]],
  ['waits for a no-op image that cannot be pulled', present(waiting('ErrImagePull'), runs, noop), image, ['broken', 0, 0]],
  ['failed before a no-op image was started', present(exited(143), runs, { image }), image, ['broken', 1, 0]],
  ['ended with 1 long after what was sent to it', present(exited(1, now + 2 * hour)), undefined, ['kept', 0, 0]],
  ['was started again after 1, long after what was sent to it', present(running, runs, { id: 'containerd://sidecar-1', lastExitCode: 1, lastFinishedAt: now + 2 * hour }), undefined, ['kept', 0, 0]],
  ['got a no-op image late, which lacks its program', present(exited(128, now + 2 * hour), {}, noop), image, ['broken', 1, 0]],
  ['ended with 1, and never got its no-op image', present(exited(1), {}), image, ['kept', 0, 0]],
])('a sidecar that %s', async (_, reading, swappedFor, learnt) => {
  expect(await learn(reading, swappedFor)).toEqual(learnt);
});

it('a sidecar that seems to have outlived what was sent to it is read again: a kubelet that hangs tells its end late', async () => {
  const still = present(running, runs);
  expect(await learn(still, undefined, now - 1)).toEqual(['kept', 0, 1]);
  expect(await learn(still, image, now - 1)).toEqual(['kept', 0, 1]);
});

it('the clock of another machine makes no difference to whether it ended in time', async () => {
  const ended = (finishedAt: number, ahead: number) => ({
    ...present({ ...exited(143), finishedAt: now + ahead + finishedAt }),
    asOf: now + ahead,
  });
  for (const ahead of [-3 * hour, 3 * hour]) {
    expect(await learn(ended(-1_000, ahead), undefined, now)).toEqual(['broken', 1, 0]);
    expect(await learn(ended(1_000, ahead), undefined, now)).toEqual(['kept', 0, 0]);
  }
});

describe('a pod that was removed', () => {
  it.each<readonly [title: string, job: JobReading, learnt: readonly [string, number, number]]>([
    ['by its Job, which has failed', failedWith('BackoffLimitExceeded'), ['kept', 1, 0]],
    ['when its Job ran out of time', failedWith('DeadlineExceeded'), ['kept', 0, 0]],
    ['by another client', { kind: 'Present', job: jobView() }, ['kept', 0, 0]],
    ['with its Job', { kind: 'Gone' }, ['kept', 0, 0]],
    ['and whose Job cannot be read', unread, ['kept', 0, 1]],
  ])('%s', async (_, job, learnt) => {
    expect(await learn({ kind: 'Gone' }, undefined, now + hour, job)).toEqual(learnt);
  });
});
