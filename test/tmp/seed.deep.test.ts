import { expect, it } from 'vitest';
import { playSeeds } from '../kit/random/run.ts';

it('seed', async () => {
  const played = await playSeeds((process.env['SEEDS'] ?? '1077').split(',').map(Number));
  expect(played.flatMap(({ seed, problems }) => problems.map((one) => `seed ${seed}: ${one}`))).toEqual([]);
});
