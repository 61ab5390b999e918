import { describe, expect, it } from 'vitest';
import type { Watched } from '../../../../src/apply/wait/observation.ts';
import { isSettled, readSettled } from '../../../../src/apply/wait/settle.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { PodReading } from '../../../../src/model/reading.ts';
import { plannedTarget } from '../../../builders/plan.ts';
import {
  container,
  exited,
  nativeSidecar,
  now,
  podView,
  running,
  waiting,
} from '../../../builders/pod-view.ts';
import { Stage } from '../stage.ts';

const target = plannedTarget();

function present(more: Partial<PodView>): PodReading {
  return { kind: 'Present', pod: podView(more), asOf: now };
}

function withSidecar(state: PodView['containers'][number]): PodView['containers'] {
  return [container('main', exited()), state];
}

const killed = container('sidecar', exited(143));

describe('a reading', () => {
  it.each<readonly [title: string, reading: PodReading, watched: readonly Watched[], expected: boolean]>([
    ['of a pod that is gone is final', { kind: 'Gone' }, [target], true],
    ['of a pod that was replaced is final', { kind: 'Replaced', uid: 'u2' }, [target], true],
    [
      'that failed is not',
      { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } },
      [target],
      false,
    ],
    [
      'of an ended pod is final once its Job has counted it',
      present({ phase: 'Succeeded', awaitsJobTracking: false }),
      [target],
      true,
    ],
    [
      'of an ended pod is not while its Job has yet to count it',
      present({ phase: 'Failed', awaitsJobTracking: true }),
      [target],
      false,
    ],
    [
      'of a pod whose containers have all ended is not: its phase is to follow',
      present({ containers: withSidecar(container('sidecar', exited(0))) }),
      [target],
      false,
    ],
    [
      'of a pod whose sidecar runs on is final',
      present({ containers: withSidecar(container('sidecar', running)) }),
      [target],
      true,
    ],
    [
      'under OnFailure of a sidecar that failed beside one that runs is not: its restart is to follow',
      present({
        restartPolicy: 'OnFailure',
        containers: [...withSidecar(killed), container('other', running)],
      }),
      [target],
      false,
    ],
    [
      'under Never of a sidecar that failed beside one that runs is final',
      present({ containers: [...withSidecar(killed), container('other', running)] }),
      [target],
      true,
    ],
    [
      'under OnFailure of a sidecar that was restarted is final',
      present({
        restartPolicy: 'OnFailure',
        containers: withSidecar(container('sidecar', running, { id: 'containerd://sidecar-1' })),
      }),
      [target],
      true,
    ],
    [
      'under OnFailure of a sidecar that waits out its back-off is final',
      present({ restartPolicy: 'OnFailure', containers: withSidecar(container('sidecar', waiting())) }),
      [target],
      true,
    ],
    [
      'does not wait for the restart of a sidecar that nothing was sent to',
      present({
        restartPolicy: 'OnFailure',
        containers: [...withSidecar(killed), container('other', running)],
      }),
      [],
      true,
    ],
  ])('%s', (_title, reading, watched, expected) => {
    expect(isSettled(reading, watched)).toBe(expected);
  });
});

describe('the last reading', () => {
  const read = (stage: Stage, last?: PodReading): Promise<PodReading> =>
    stage.finish(readSettled(stage.pod, [target], last, stage.context));

  it('is the first when that is final', async () => {
    const stage = new Stage();
    expect(await read(stage)).toEqual({ kind: 'Present', pod: stage.pod, asOf: now });
    expect(stage.reads).toBe(1);
  });

  it('is the one before when that shows the end, and all that follows from it', async () => {
    const stage = new Stage();
    const ended = present({
      phase: 'Succeeded',
      awaitsJobTracking: false,
      containers: withSidecar(killed),
    });
    expect(await read(stage, ended)).toBe(ended);
    expect(stage.reads).toBe(0);
  });

  it('is another one when the one before shows a container that runs', async () => {
    const stage = new Stage();
    expect(await read(stage, present({}))).toEqual({ kind: 'Present', pod: stage.pod, asOf: now });
    expect(stage.reads).toBe(1);
  });

  it('is waited for at once when the one before shows the end alone', async () => {
    const stage = new Stage();
    stage.end('sidecar');
    stage.after(500, () => stage.change({ phase: 'Succeeded', awaitsJobTracking: false }));
    const ended = present({ containers: withSidecar(killed) });
    expect(await read(stage, ended)).toMatchObject({ asOf: now + 1_750, pod: { phase: 'Succeeded' } });
    expect(stage.reads).toBe(1);
  });

  it('is waited for less where no Job has to count the pod', async () => {
    const stage = new Stage({ pod: podView({ awaitsJobTracking: false }) });
    stage.end('sidecar');
    stage.after(500, () => stage.change({ phase: 'Succeeded' }));
    const ended = present({ containers: withSidecar(killed), awaitsJobTracking: false });
    expect(await read(stage, ended)).toMatchObject({ asOf: now + 750, pod: { phase: 'Succeeded' } });
    expect(stage.reads).toBe(1);
  });

  it('is the one in which the phase has followed, and the Job has counted the pod', async () => {
    const stage = new Stage();
    stage.end('sidecar');
    stage.after(1_500, () => stage.change({ phase: 'Succeeded' }));
    stage.after(2_500, () => stage.change({ awaitsJobTracking: false }));
    expect(await read(stage)).toMatchObject({
      asOf: now + 2_500,
      pod: { phase: 'Succeeded', awaitsJobTracking: false },
    });
    // At the beginning, and from 1.75 s on.
    expect(stage.reads).toBe(5);
  });

  it('is the one after ten seconds when nothing follows', async () => {
    const stage = new Stage();
    stage.end('sidecar');
    expect(await read(stage)).toMatchObject({ asOf: now + 10_000, pod: { phase: 'Running' } });
    // At the beginning, four times a second from 1.75 to 5 s, and then once.
    expect(stage.reads).toBe(20);
  });

  it.each([
    [1, 42_000],
    [3, 46_000],
  ])(
    'is waited for through the grace period of %i native sidecars, which end after the others',
    async (count, time) => {
      const nativeSidecars = Array.from({ length: count }, (_, index) => nativeSidecar(`n${index}`));
      const stage = new Stage({ pod: podView({ nativeSidecars, grace: 30_000 }) });
      stage.end('sidecar');
      expect(await read(stage)).toMatchObject({ asOf: now + time, pod: { phase: 'Running' } });
    },
  );

  it('is the one that showed the end when the pod cannot be read after it', async () => {
    const stage = new Stage();
    stage.shown = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } };
    const ended = present({ containers: withSidecar(killed) });
    expect(await read(stage, ended)).toBe(ended);
  });

  it('is one more when the pod could not be read meanwhile', async () => {
    const stage = new Stage();
    stage.shown = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } };
    expect(await read(stage)).toEqual(stage.shown);
    // At the beginning, four times a second from 0.5 to 5 s, then once, and at the end.
    expect(stage.reads).toBe(26);
  });

  it('is not waited for when the sweep stops', async () => {
    const stage = new Stage();
    stage.end('sidecar');
    stage.stop('Deadline');
    expect(await read(stage)).toMatchObject({ asOf: now, pod: { phase: 'Running' } });
    expect(stage.reads).toBe(2);
  });
});
