import { expect, it } from 'vitest';
import { playSeeds } from '../../properties/run.ts';

// `npm run test:properties` plays a thousand.
it('after random sweeps of random clusters, every property holds', async () => {
  const played = await playSeeds([1, 2, 3, 4, 5]);
  expect(played.flatMap(({ seed, problems }) => problems.map((one) => `seed ${seed}: ${one}`))).toEqual([]);
});

// Of each of these a sweep did not end by itself.
it.each([17, 220])('seed %i', async (seed) => {
  const [played] = await playSeeds([seed]);
  expect(played?.problems).toEqual([]);
});
