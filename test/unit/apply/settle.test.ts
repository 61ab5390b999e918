import { describe, expect, it } from 'vitest';
import type { Watched } from '../../../src/apply/observation.ts';
import { isSettled } from '../../../src/apply/settle.ts';
import type { PodReading, PodView } from '../../../src/vocabulary.ts';
import { plannedTarget } from '../../builders/plan.ts';
import { container, exited, now, podView, running, waiting } from '../../builders/pod-view.ts';

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
