import { expect, it } from 'vitest';
import { type FamilyName, playModels } from '../../kit/random/model/run.ts';

/** `npm run test:properties` draws a thousand of each. What it finds is kept here by its seed. */
const drawn: readonly (readonly [family: FamilyName, runs: number, seed: number])[] = [
  ['timeline', 8, 1],
  ['still', 2, 1],
  ['pages', 50, 1],
];

it.each(drawn)('every property of the family %s holds for %i draws', async (family, runs, seed) => {
  expect(await playModels(family, runs, seed)).toEqual([]);
});
