import { expect, it } from 'vitest';
import { mayHaveWorked } from '../../../src/apply/attempts.ts';
import { attempt, attemptResults } from '../../builders/plan.ts';

it('only what may have arrived is worth waiting for', () => {
  const worthwhile = Object.values(attemptResults).filter((result) => mayHaveWorked(attempt(result)));
  expect(worthwhile.map(({ kind }) => kind)).toEqual(['Accepted', 'Unconfirmed', 'Failed']);
});
