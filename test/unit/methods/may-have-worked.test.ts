import { expect, it } from 'vitest';
import { mayHaveWorked } from '../../../src/methods/may-have-worked.ts';
import { attempt, attemptResults } from '../../builders/plan.ts';

it('only what may have arrived may have told the container to end', () => {
  const mayHave = Object.values(attemptResults).filter((result) => mayHaveWorked(attempt(result)));
  expect(new Set(mayHave.map(({ kind }) => kind))).toEqual(new Set(['Accepted', 'Failed', 'Unconfirmed']));
});
