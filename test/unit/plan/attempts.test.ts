import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import { isUnderWay, mayHaveEnded, standingOf, timeOfProof, timeToShow } from '../../../src/plan/attempts.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import { attempt, attemptResults, steps } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';

const all: readonly AttemptResult[] = Object.values(attemptResults);

it('what may have worked gets its grace, and what may have ended the time that a status may lag', () => {
  const times = all.map((result) => [result.kind, timeToShow(attempt(result))] as const);
  const expected = { Accepted: 30_000, Failed: 30_000, Unconfirmed: 50_000, NotThere: 20_000 };
  expect(Object.fromEntries(times.filter(([, time]) => time > 0))).toEqual(expected);
});

it('until its grace and the time that a status may lag are over, what may have worked may have ended it', () => {
  const times = all.map((result) => [result.kind, timeOfProof([attempt(result)]) - now] as const);
  const later = 50_012.5;
  const expected = { Accepted: later, Failed: later, Unconfirmed: later };
  expect(Object.fromEntries(times.filter(([, time]) => Number.isFinite(time)))).toEqual(expected);
});

it.each(all)('a container that answers later has not ended ($kind)', (result) => {
  const isProven = timeOfProof([attempt(), attempt(result)]) === Number.NEGATIVE_INFINITY;
  expect(isProven).toBe(result.kind === 'NoSuchProgram' || result.kind === 'Immune');
});

describe('of a container that its status shows as running', () => {
  const { Accepted, Failed, Refused, NoSuchProgram, Unsupported, Immune, Blocked } = attemptResults;
  const { Unconfirmed, NotThere, Busy, Undelivered } = attemptResults;
  const standing = (...results: readonly AttemptResult[]) => standingOf(results.map((each) => attempt(each)));
  const answered = { kind: 'Answered' };
  const mayHaveEnded = { kind: 'MayHaveEnded', message: NotThere.message };

  it.each([Accepted, Failed, Refused, NoSuchProgram, Unsupported, Immune, Blocked])(
    'a step that was $kind has its answer',
    (result) => expect(standing(result)).toEqual(answered),
  );

  it('nothing that was sent leaves no answer to wait for', () => expect(standing()).toEqual(answered));

  it.each([Busy, Undelivered])('a step that was $kind has not reached it', (result) => {
    expect(standing(Accepted, result)).toEqual({ kind: 'NotReached' });
  });

  it('one whose connection is never upgraded cannot work there', () => {
    const refused = { ...Undelivered, noUpgrade: true } as const;
    expect(standing(refused)).toEqual(answered);
    expect(standing(NotThere, refused)).toEqual(mayHaveEnded);
    expect(standing(refused, Undelivered)).toEqual({ kind: 'NotReached' });
  });

  it.each([Unconfirmed, NotThere])('an answer that was $kind says that it may have ended', (result) => {
    expect(standing(Accepted, result)).toEqual({ kind: 'MayHaveEnded', message: result.message });
  });

  it.each([Accepted, Failed, NoSuchProgram, Immune])('$kind says that it was running after all', (result) => {
    expect(standing(NotThere, result)).toEqual(answered);
  });

  it.each([Refused, Unsupported, Blocked, Busy, Undelivered])('$kind does not', (result) => {
    expect(standing(NotThere, result)).toEqual(mayHaveEnded);
  });

  it('what did not arrive may arrive later', () => {
    expect(standing(Undelivered, Unsupported)).toEqual(answered);
  });
});

it('a step is under way if the wait for the last one was cut', () => {
  const cut = { ...attempt(), due: now };
  const expected = [false, false, false, true];
  expect([[], [attempt()], [cut, attempt()], [attempt(), cut]].map(isUnderWay)).toEqual(expected);
});

it.each<readonly [string, Attempt['step'], boolean | undefined, boolean]>([
  ['a signal', steps.Signal, undefined, true],
  ['a swap, if the no-op image has', steps.ImageSwap, true, true],
  ['a swap, if the sidecar itself has', steps.ImageSwap, undefined, false],
])('what ended may have been ended by %s', (_title, step, swapped, expected) => {
  const seen = swapped ? { swapped } : {};
  expect(mayHaveEnded([{ ...attempt(), step }], seen)).toBe(expected);
  expect(mayHaveEnded([{ ...attempt(attemptResults.Refused), step }], seen)).toBe(false);
});
