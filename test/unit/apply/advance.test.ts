import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, mayHaveWorked } from '../../../src/apply/advance.ts';
import type { Attempt, AttemptResult, Observation } from '../../../src/vocabulary.ts';
import { attempt, attemptResults, plannedTarget, step, steps } from '../../builders/plan.ts';

const running: Observation = { kind: 'Running' };
const { steps: ladder } = plannedTarget();
const [term, kill] = ladder;

describe('while the container runs', () => {
  it('TERM comes first', () => {
    expect(advance(ladder, [], running)).toEqual({ kind: 'Send', step: term });
  });

  it.each(Object.values(attemptResults))('KILL follows a TERM that was $kind', (result) => {
    expect(advance(ladder, [attempt(result)], running)).toEqual({ kind: 'Send', step: kill });
  });

  it('nothing follows the last step', () => {
    expect(advance(ladder, [attempt(), attempt()], running)).toEqual({ kind: 'Done' });
  });

  it('nothing follows the only step of a command without a signal', () => {
    expect(advance([step()], [attempt()], running)).toEqual({ kind: 'Done' });
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
      expect(advance(ladder, [], observation)).toEqual({ kind: 'Done' });
      expect(advance(ladder, [attempt()], observation)).toEqual({ kind: 'Done' });
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
  const arbitraryLadder = fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 64 }).map((signal) => step(signal)),
      fc.constantFrom(steps.Http, steps.Signal, steps.Tombstone),
    ),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(arbitraryLadder, fc.infiniteStream(results), (planned, answers) => {
      const attempts: Attempt[] = [];
      for (const result of answers) {
        const next = advance(planned, attempts, running);
        if (next.kind === 'Done') break;
        attempts.push({ ...attempt(result), step: next.step });
        expect(attempts.length).toBeLessThanOrEqual(planned.length);
      }
      expect(attempts.map((sent) => sent.step)).toEqual(planned);
    }),
  );
});
