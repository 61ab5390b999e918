import { describe, expect, it } from 'vitest';
import { beginCourse, follow, type OpenCourse } from '../../../src/apply/course.ts';
import type { Taken } from '../../../src/apply/taken.ts';
import type { ContainerOutcome } from '../../../src/model/outcome.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import { attempt, attemptResults, plannedTarget, skippedTarget } from '../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';

const target = plannedTarget();
const watched = { container: 'sidecar', containerId: 'containerd://sidecar-0' };
const begun: OpenCourse = {
  kind: 'Open',
  target,
  watched,
  attempts: [],
  outlived: 0,
  observation: { kind: 'Running' },
};

/** A course on which one step was taken. */
const going: OpenCourse = { ...begun, attempts: [attempt()] };

const ended: PodReading = {
  kind: 'Present',
  pod: podView({ containers: [container('main', exited()), container('sidecar', exited(143, now))] }),
  asOf: now,
};
const exitedNow = { kind: 'Exited', exitCode: 143, signal: undefined, finishedAt: now } as const;

describe('a course begins', () => {
  it('with a sidecar that runs as far as is known, and the instance that was planned for', () => {
    expect(beginCourse(target)).toEqual(begun);
  });

  it('and ends at once for a sidecar that was skipped', () => {
    const skipped = skippedTarget('other');
    expect(beginCourse(skipped)).toEqual({
      kind: 'Closed',
      container: 'other',
      attempts: [],
      outcome: skipped.outcome,
    });
  });
});

describe('after a step that was sent', () => {
  const taken = { kind: 'Attempted', attempt: attempt(), watched: [watched], reading: ended } as const;

  it('it is known what the last read showed', () => {
    expect(follow(begun, taken)).toEqual({ ...begun, attempts: [attempt()], observation: exitedNow });
  });

  it('and that it runs as far as is known, without a read', () => {
    const undelivered = attempt(attemptResults.Undelivered);
    expect(follow(going, { ...taken, attempt: undelivered, reading: undefined })).toEqual({
      ...begun,
      attempts: [attempt(), undelivered],
      observation: { kind: 'Running' },
    });
  });

  it('what the step was for is watched from then on', () => {
    const others = { container: 'other', containerId: 'containerd://other-0' };
    const swapped = { ...watched, swappedFor: 'noop:1' };
    const after = follow(begun, { ...taken, watched: [others, swapped] });
    expect(after).toMatchObject({ watched: swapped, observation: exitedNow });
  });

  it('nothing has changed for a sidecar that it was not sent to', () => {
    const others = [{ container: 'other', containerId: 'containerd://other-0' }];
    expect(follow(going, { ...taken, watched: others })).toBe(going);
  });
});

it('a sidecar that ended before the step could be sent is known to have', () => {
  expect(follow(going, { kind: 'Overtaken', reading: ended })).toEqual({ ...going, observation: exitedNow });
  const gone = follow(begun, { kind: 'Overtaken', reading: { kind: 'Gone' } });
  expect(gone).toEqual({ ...begun, observation: { kind: 'Gone' } });
});

describe('after a step that was withheld', () => {
  const stopped: Taken = { kind: 'Withheld', outcome: { kind: 'NotAttempted', reason: 'Deadline' } };

  it.each<ContainerOutcome & { readonly kind: 'Skipped' | 'NotAttempted' }>([
    { kind: 'NotAttempted', reason: 'Deadline' },
    { kind: 'Skipped', reason: { kind: 'Undecided', problem: 'no status' } },
  ])('nothing can become of it any more when nothing was sent before ($kind)', (outcome) => {
    expect(follow(begun, { kind: 'Withheld', outcome })).toEqual({
      kind: 'Closed',
      container: 'sidecar',
      attempts: [],
      outcome,
    });
  });

  it('a read has yet to show what became of an earlier one when the sweep stops', () => {
    expect(follow(going, stopped)).toBe(going);
  });

  it('it is skipped when the pod is no longer stuck', () => {
    const reason = { kind: 'NoLongerCandidate', because: [{ kind: 'BeingDeleted' }] } as const;
    expect(follow(going, { kind: 'Withheld', outcome: { kind: 'Skipped', reason } })).toEqual({
      kind: 'Closed',
      container: 'sidecar',
      attempts: [attempt()],
      outcome: { kind: 'Skipped', reason },
    });
  });
});

it('a container that still runs leaves the course open', () => {
  const containers = [container('main', exited()), container('sidecar', running)];
  const reading: PodReading = { kind: 'Present', pod: podView({ containers }), asOf: now };
  const taken: Taken = { kind: 'Attempted', attempt: attempt(), watched: [watched], reading };
  expect(follow(begun, taken)).toEqual(going);
});
