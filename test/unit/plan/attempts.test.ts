import { expect, it } from 'vitest';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import { isUnderWay, mayHaveEnded, standingOf, timeOfProof, timeToShow } from '../../../src/plan/attempts.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import { attempt, attemptResults, steps } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';

const all: readonly AttemptResult[] = Object.values(attemptResults);

it('what may have worked gets its grace, and what may have ended the time that a status may lag', () => {
  const times = all.map((result) => [result.kind, timeToShow(attempt(result))] as const);
  const expected = { Accepted: 30_000, Failed: 30_000, Unconfirmed: 50_000, NotThere: 20_000 };
  expect(Object.fromEntries(times.filter(([, time]) => time !== 0))).toStrictEqual(expected);
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

const { Accepted, Failed, Refused, NoSuchProgram, Unsupported, Immune, Blocked } = attemptResults;
const { Unconfirmed, NotThere, Busy, Undelivered } = attemptResults;
const noUpgrade = { ...Undelivered, noUpgrade: true } as const;
const answered = { kind: 'Answered' };
const notReached = { kind: 'NotReached' };
const mayHaveEndedBy = ({ message }: typeof Unconfirmed | typeof NotThere) => {
  return { kind: 'MayHaveEnded', message };
};

// biome-ignore format: one row a line
it.each<readonly [why: string, results: readonly AttemptResult[], standing: object]>([
  ['nothing was sent that leaves an answer to wait for', [], answered],
  ...[Accepted, Failed, Refused, NoSuchProgram, Unsupported, Immune, Blocked].map((one) => ['it has its answer', [one], answered] as const),
  ...[Busy, Undelivered].map((one) => ['the last one has not reached it', [Accepted, one], notReached] as const),
  ['a step whose connection is never upgraded cannot work there', [noUpgrade], answered],
  ['such a step cannot work there either if the one before it did not arrive', [Undelivered, noUpgrade], answered],
  ['such a step says nothing of it', [NotThere, noUpgrade], mayHaveEndedBy(NotThere)],
  ['what comes after such a step may arrive later', [noUpgrade, Undelivered], notReached],
  ...[Unconfirmed, NotThere].map((one) => ['the answer says that it may have ended', [Accepted, one], mayHaveEndedBy(one)] as const),
  ...[Accepted, Failed, NoSuchProgram, Immune].map((one) => ['the answer says that it was running after all', [NotThere, one], answered] as const),
  ...[Refused, Unsupported, Blocked, Busy, Undelivered].map((one) => ['the answer says nothing of it', [NotThere, one], mayHaveEndedBy(NotThere)] as const),
  ['what did not arrive may arrive later', [Undelivered, Unsupported], answered],
])('a container shown as running: %s, after %j', (_why, results, expected) => {
  expect(standingOf(results.map((each) => attempt(each)))).toEqual(expected);
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
