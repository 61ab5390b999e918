import { describe, expect, it } from 'vitest';
import { nothingSeen, type Seen, see } from '../../../../src/apply/wait/witness.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { PodReading } from '../../../../src/model/reading.ts';
import { candidate } from '../../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../../builders/pod-view.ts';

const main = container('main', exited(0));
const ended = (exitCode: number) => [main, container('sidecar', exited(exitCode))];
const restarted = [main, container('sidecar', running, { restartCount: 1 })];
const reading = (more: Partial<PodView>): PodReading => ({
  kind: 'Present',
  pod: podView(more),
  asOf: now,
});

function shown(...readings: readonly PodReading[]): Seen {
  return readings.reduce((seen, one) => see(seen, candidate(), one), nothingSeen);
}

describe('what the readings of a pod have shown', () => {
  it('is nothing of a pod that is gone or cannot be read', () => {
    expect(shown({ kind: 'Gone' }, { kind: 'Replaced', uid: 'u' })).toEqual(nothingSeen);
  });

  it('is its last phase, and stays when it is gone', () => {
    expect(shown(reading({}), reading({ phase: 'Failed' }), { kind: 'Gone' }).phase).toBe('Failed');
  });

  it.each<readonly [title: string, more: Partial<PodView>, hasEnded: boolean]>([
    ['that runs', {}, false],
    ['that ended with 0', { containers: ended(0) }, false],
    ['that ended with 143', { containers: ended(143) }, true],
    ['that was restarted under OnFailure', { containers: restarted, restartPolicy: 'OnFailure' }, true],
    ['that was swapped under Never', { containers: restarted }, false],
    ['that is missing', { containers: [main] }, false],
  ])('is whether a sidecar ended unclean: one %s', (_title, more, hasEnded) => {
    expect(shown(reading(more)).hasEndedUnclean).toBe(hasEnded);
    expect(shown(reading(more), reading({})).hasEndedUnclean).toBe(hasEnded);
  });

  it('is that it was disrupted once', () => {
    expect(shown(reading({ disrupted: true }), reading({})).isDisrupted).toBe(true);
    expect(shown(reading({})).isDisrupted).toBe(false);
  });

  it('is that it was deleted before a sidecar ended unclean', () => {
    const deleted = reading({ deleting: true });
    const failed = reading({ deleting: true, containers: ended(137) });
    expect(shown(deleted, failed).isDeletedFirst).toBe(true);
    expect(shown(reading({ containers: ended(143) }), failed).isDeletedFirst).toBe(false);
  });
});
