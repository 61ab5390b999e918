import { expect, it } from 'vitest';
import { playSeeds } from '../../properties/run.ts';

// `npm run test:properties` plays a thousand.
it('after random sweeps of random clusters, every property holds', async () => {
  const played = await playSeeds([1, 2, 3, 4, 5]);
  expect(played.flatMap(({ seed, problems }) => problems.map((one) => `seed ${seed}: ${one}`))).toEqual([]);
});

// Each of these once had a problem.
it.each([[150, 'a container between its end and its restart was reported as stopped']])(
  'seed %i: %s',
  async (seed) => {
    const [played] = await playSeeds([seed]);
    expect(played?.problems).toEqual([]);
  },
);
