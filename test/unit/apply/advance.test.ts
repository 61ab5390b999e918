import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, mayHaveWorked } from '../../../src/apply/advance.ts';
import type { Attempt, AttemptResult, Observation } from '../../../src/types.ts';
import { attempt, attemptResults, plannedTarget, step } from '../../builders/plan.ts';

const running: Observation = { kind: 'Running' };
const target = plannedTarget();
const [term, kill] = target.steps;

describe('while the container runs', () => {
  it('TERM comes first', () => {
    expect(advance(target, [], running)).toEqual({ kind: 'Send', step: term });
  });

  it.each(['Accepted', 'Unconfirmed'] as const)('KILL follows a TERM that was %s', (kind) => {
    expect(advance(target, [attempt(attemptResults[kind])], running)).toEqual({ kind: 'Send', step: kill });
  });

  it.each(['Refused', 'NoSuchProgram', 'Undelivered'] as const)(
    'nothing follows a TERM that was %s: KILL by the same way would fare no better',
    (kind) => {
      expect(advance(target, [attempt(attemptResults[kind])], running)).toEqual({ kind: 'Done' });
    },
  );

  it('nothing follows the last step', () => {
    expect(advance(target, [attempt(), attempt()], running)).toEqual({ kind: 'Done' });
  });

  it('nothing follows the only step of a command without a signal', () => {
    expect(advance(plannedTarget({ steps: [step()] }), [attempt()], running)).toEqual({ kind: 'Done' });
  });
});

const otherwise: readonly Observation[] = [
  { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: undefined },
  { kind: 'Restarted', exitCode: 143, restartCount: 1 },
  { kind: 'Gone' },
  { kind: 'Replaced', uid: 'uid-2' },
  { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } },
];

describe('when the container does not run any more, or nobody can say', () => {
  it.each(otherwise.map((observation) => [observation.kind, observation] as const))(
    '%s: nothing more is sent',
    (_kind, observation) => {
      expect(advance(target, [], observation)).toEqual({ kind: 'Done' });
      expect(advance(target, [attempt()], observation)).toEqual({ kind: 'Done' });
    },
  );
});

it('only what may have arrived is worth waiting for', () => {
  const kinds = Object.keys(attemptResults) as (keyof typeof attemptResults)[];
  expect(kinds.filter((kind) => mayHaveWorked(attempt(attemptResults[kind])))).toEqual([
    'Accepted',
    'Unconfirmed',
  ]);
});

it('whatever comes back, every step is sent once at most, in order, and the end is reached', () => {
  const results: fc.Arbitrary<AttemptResult> = fc.constantFrom(...Object.values(attemptResults));
  const steps = fc.array(
    fc.integer({ min: 1, max: 64 }).map((signal) => step(signal)),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(steps, fc.infiniteStream(results), (planned, answers) => {
      const ladder = plannedTarget({ steps: planned });
      const attempts: Attempt[] = [];
      for (const result of answers) {
        const next = advance(ladder, attempts, running);
        if (next.kind === 'Done') break;
        attempts.push({ ...attempt(result), step: next.step });
        expect(attempts.length).toBeLessThanOrEqual(planned.length);
      }
      expect(attempts.map((sent) => sent.step)).toEqual(planned.slice(0, attempts.length));
    }),
  );
});
