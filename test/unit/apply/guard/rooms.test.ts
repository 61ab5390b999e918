import { describe, expect, it } from 'vitest';
import { JobRooms } from '../../../../src/apply/guard/rooms.ts';
import type { JobView } from '../../../../src/model/job.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { JobReading, LimitRaise } from '../../../../src/model/ports.ts';
import { createSlots } from '../../../../src/util/concurrency.ts';
import { jobView } from '../../../builders/job.ts';
import { container, exited, podView, running, waiting } from '../../../builders/pod-view.ts';
import { podRef } from '../../../builders/report.ts';

/** A Job with these pods, as the cluster shows it; what changes is shown at the next look. */
function cluster(restartPolicy: PodView['restartPolicy'], job: Partial<JobView>, count = 3) {
  const shown = new Map(
    Array.from({ length: count }, (_, number) => podView({ ref: podRef(number), restartPolicy })).map(
      (pod) => [pod.ref.uid, pod],
    ),
  );
  const state: { reading: JobReading; pods: readonly PodView[] | undefined } = {
    reading: { kind: 'Present', job: jobView(job) },
    pods: undefined,
  };
  const { signal: stop } = new AbortController();
  const raises: LimitRaise[] = [];
  const rooms = new JobRooms({
    jobs: { read: async () => state.reading },
    cluster: {
      listJobPods: async () => state.pods ?? [...shown.values()],
      raiseBackoffLimit: async (_namespace, _owner, raise) => {
        raises.push(raise);
        state.reading = { kind: 'Present', job: jobView({ ...job, backoffLimit: raise.to }) };
        return { kind: 'Written' };
      },
    },
    slots: createSlots(2),
    clock: { now: () => 0, sleep: async () => undefined },
    random: () => 0,
    emit: () => undefined,
    stop,
    cut: stop,
  });
  const pods = [...shown.values()];
  return {
    rooms,
    raises,
    state,
    pod: (number: number) => pods[number] ?? podView({ restartPolicy }),
    /** The kubelet has restarted a sidecar. */
    restart: (number: number, restarts = 1) => {
      const { uid } = podRef(number);
      const pod = shown.get(uid);
      if (pod) shown.set(uid, { ...pod, restarts });
    },
    /** A pod that has ended counts no more. */
    end: (number: number) => shown.delete(podRef(number).uid),
  };
}

describe('under OnFailure, restarts of all pods of a Job are added up:', () => {
  it('as many as stay below backoffLimit, and the others when those have succeeded', async () => {
    const { rooms, pod, restart, end } = cluster('OnFailure', { backoffLimit: 3 });
    expect(await Promise.all([0, 1, 2].map((number) => rooms.take(pod(number), 1)))).toEqual([
      'Taken',
      'Taken',
      'Full',
    ]);
    restart(0);
    const changed = rooms.change(pod(2));
    end(0);
    rooms.leave(pod(0), 'Succeeded');
    await changed;
    expect(await rooms.take(pod(2), 1)).toBe('Taken');
  });

  it('a restart that shows already is not counted twice', async () => {
    const { rooms, pod, restart } = cluster('OnFailure', { backoffLimit: 3 });
    await rooms.take(pod(0), 1);
    restart(0);
    expect(await rooms.take(pod(1), 1)).toBe('Taken');
  });

  it('restarts that others have caused count', async () => {
    const { rooms, pod, restart } = cluster('OnFailure', { backoffLimit: 3 });
    restart(2, 2);
    expect(await rooms.take(pod(0), 1)).toBe('None');
  });

  const noop = 'registry.example/noop:1';
  it.each([
    ['that has ended with another code than 0', container('sidecar', exited(1)), 'None'],
    ['in back-off', container('sidecar', waiting('CrashLoopBackOff')), 'None'],
    [
      'whose image is being swapped',
      container('sidecar', running, { image: noop, ranImage: 'old:1' }),
      'None',
    ],
    ['that has ended with 0', container('sidecar', exited(0)), 'Taken'],
    ['that has not run yet', container('sidecar', waiting('ContainerCreating'), { id: undefined }), 'Taken'],
    ['that runs', container('sidecar', running, { image: noop, ranImage: noop }), 'Taken'],
  ])('a restart that is due counts, as of a container %s, or not', async (_, sidecar, room) => {
    const { rooms, state, pod } = cluster('OnFailure', { backoffLimit: 2 });
    state.pods = [pod(0), { ...pod(1), containers: [sidecar] }];
    expect(await rooms.take(pod(0), 1)).toBe(room);
  });

  it.each([0, 1])('backoffLimit %i leaves room for none', async (backoffLimit) => {
    const { rooms, pod } = cluster('OnFailure', { backoffLimit });
    expect(await rooms.take(pod(0), 1)).toBe('None');
    expect(await rooms.take(pod(0), 0)).toBe('Taken');
  });

  it('a pod that was restarted and goes on keeps its room for ever', async () => {
    const { rooms, pod, restart } = cluster('OnFailure', { backoffLimit: 2 });
    await rooms.take(pod(0), 1);
    expect(await rooms.take(pod(1), 1)).toBe('Full');
    restart(0);
    rooms.leave(pod(0), 'Open');
    expect(await rooms.take(pod(1), 1)).toBe('None');
  });

  it('what did not happen gives back its room', async () => {
    const { rooms, pod } = cluster('OnFailure', { backoffLimit: 2 });
    await rooms.take(pod(0), 1);
    rooms.giveBack(pod(0), 1);
    expect(await rooms.take(pod(1), 1)).toBe('Taken');
  });

  it('a pod that was refused does not miss room that was given back before it waits', async () => {
    const { rooms, pod, end } = cluster('OnFailure', { backoffLimit: 2 });
    await rooms.take(pod(0), 1);
    expect(await rooms.take(pod(1), 1)).toBe('Full');
    end(0);
    rooms.leave(pod(0), 'Succeeded');
    await rooms.change(pod(1));
    expect(await rooms.take(pod(1), 1)).toBe('Taken');
  });

  it('two pods that hold room and wait for more do not wait for each other', async () => {
    const { rooms, pod } = cluster('OnFailure', { backoffLimit: 3 });
    expect(await Promise.all([0, 1].map((number) => rooms.take(pod(number), 1)))).toEqual(['Taken', 'Taken']);
    expect(await rooms.take(pod(0), 1)).toBe('Full');
    const waiting = rooms.change(pod(0));
    expect(await rooms.take(pod(1), 1)).toBe('None');
    rooms.leave(pod(1), 'Open');
    await waiting;
    expect(await rooms.take(pod(0), 1)).toBe('None');
  });

  it('nobody waits for a pod that what was sent to it has not ended', async () => {
    const { rooms, pod } = cluster('OnFailure', { backoffLimit: 2 });
    await rooms.take(pod(0), 1);
    rooms.rest(pod(0));
    expect(await rooms.take(pod(1), 1)).toBe('None');
  });

  it('there is no room in a Job whose pods cannot be listed', async () => {
    const { rooms, state, pod } = cluster('OnFailure', { backoffLimit: 6 });
    state.pods = [];
    expect(await rooms.take(pod(0), 1)).toBe('None');
  });
});

describe('if the limit may be raised,', () => {
  it('it is, to the smallest that makes room, and the other pods wait for their turn', async () => {
    const { rooms, raises, pod, restart, end } = cluster('OnFailure', { backoffLimit: 0 });
    expect(await Promise.all([0, 1].map((number) => rooms.take(pod(number), 1, true)))).toEqual([
      'Taken',
      'Full',
    ]);
    restart(0);
    end(0);
    rooms.leave(pod(0), 'Succeeded');
    expect(await rooms.take(pod(1), 1, true)).toBe('Taken');
    expect(raises).toEqual([{ from: 0, to: 2 }]);
  });

  it('restarts that others have caused make it larger', async () => {
    const { rooms, raises, pod, restart } = cluster('OnFailure', { backoffLimit: 3 });
    restart(1, 2);
    restart(2, 4);
    expect(await rooms.take(pod(0), 2, true)).toBe('Taken');
    expect(raises).toEqual([{ from: 3, to: 9 }]);
  });

  it('nothing is raised where there is room, where pods cannot be listed, or under Never', async () => {
    const roomy = cluster('OnFailure', { backoffLimit: 3 });
    expect(await roomy.rooms.take(roomy.pod(0), 1, true)).toBe('Taken');
    const unlisted = cluster('OnFailure', { backoffLimit: 0 });
    unlisted.state.pods = [];
    expect(await unlisted.rooms.take(unlisted.pod(0), 1, true)).toBe('None');
    const never = cluster('Never', { backoffLimit: 0 });
    expect(await never.rooms.take(never.pod(0), 1, true)).toBe('None');
    expect([roomy, unlisted, never].map(({ raises }) => raises)).toEqual([[], [], []]);
  });
});

describe('under Never, failed pods count:', () => {
  it('as many as stay within backoffLimit, those of before included', async () => {
    const { rooms, pod } = cluster('Never', { backoffLimit: 3, failedPods: 2 });
    expect(await rooms.take(pod(0), 1)).toBe('Taken');
    expect(await rooms.take(pod(1), 1)).toBe('Full');
  });

  it('a failed pod is not counted twice, and its room is gone', async () => {
    const { rooms, state, pod } = cluster('Never', { backoffLimit: 2 });
    await rooms.take(pod(0), 1);
    rooms.leave(pod(0), 'Failed');
    expect(await rooms.take(pod(1), 1)).toBe('Taken');
    rooms.leave(pod(1), 'Failed');
    state.reading = { kind: 'Present', job: jobView({ backoffLimit: 2, failedPods: 2 }) };
    expect(await rooms.take(pod(2), 1)).toBe('None');
  });

  it('a pod that succeeded gives back its room', async () => {
    const { rooms, pod } = cluster('Never', { backoffLimit: 1 });
    await rooms.take(pod(0), 1);
    rooms.leave(pod(0), 'Succeeded');
    expect(await rooms.take(pod(1), 1)).toBe('Taken');
  });

  it('with backoffLimitPerIndex, each index has retries of its own', async () => {
    const perIndex = { retries: 1, maxFailed: undefined, failed: 0 };
    const { rooms, pod } = cluster('Never', { backoffLimit: 0, perIndex });
    expect(await Promise.all([0, 1].map((number) => rooms.take(pod(number), 1)))).toEqual(['Taken', 'Taken']);
  });
});

it('a Job that cannot be read has no room, one that is gone sets no limit, and other owners have none to ask', async () => {
  const { rooms, state, pod } = cluster('Never', { backoffLimit: 6 });
  state.reading = { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no' } };
  expect(await rooms.take(pod(0), 1)).toBe('None');
  state.reading = { kind: 'Gone' };
  expect(await rooms.take(pod(0), 1)).toBe('Taken');
  expect(await rooms.take(podView({ owner: undefined }), 1)).toBe('Taken');
});
