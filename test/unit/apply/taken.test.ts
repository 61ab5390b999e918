import { describe, expect, it } from 'vitest';
import { type Attempted, attemptsOf, sentAgain } from '../../../src/apply/taken.ts';
import { attempt, attemptResults } from '../../builders/plan.ts';

const a = { container: 'a', containerId: 'containerd://a-0' };
const b = { container: 'b', containerId: 'containerd://b-0' };
const gone = { kind: 'Gone' } as const;
const before: Attempted = {
  kind: 'Attempted',
  attempt: attempt(attemptResults.Unconfirmed),
  watched: [a, b],
  reading: gone,
};

it('a step that was sent once is one attempt', () => {
  expect(attemptsOf(before)).toEqual([before.attempt]);
});

describe('a step that was to be sent again', () => {
  it('is two attempts, for all containers of the first', () => {
    const restarted = { ...b, containerId: 'containerd://b-1' };
    const replaced = { kind: 'Replaced', uid: 'uid-2' } as const;
    const again = { kind: 'Attempted', attempt: attempt(), watched: [restarted], reading: replaced } as const;
    const taken = sentAgain(before, again);
    expect(attemptsOf(taken)).toEqual([before.attempt, again.attempt]);
    expect(taken).toMatchObject({ watched: [a, restarted], reading: replaced });
  });

  it('keeps the last read if none followed', () => {
    const undelivered = attempt(attemptResults.Undelivered);
    const again = { kind: 'Attempted', attempt: undelivered, watched: [a, b], reading: undefined } as const;
    expect(sentAgain(before, again).reading).toBe(gone);
  });

  it('is one attempt if the containers had ended by then', () => {
    const reading = { kind: 'Replaced', uid: 'uid-2' } as const;
    expect(sentAgain(before, { kind: 'Overtaken', reading })).toEqual({ ...before, reading });
  });

  it('is one attempt if the sweep was stopping', () => {
    const outcome = { kind: 'NotAttempted', reason: 'Signal' } as const;
    expect(sentAgain(before, { kind: 'Withheld', outcome })).toBe(before);
  });
});
