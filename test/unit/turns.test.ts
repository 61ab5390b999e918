import { expect, it } from 'vitest';
import { inTurns } from '../../src/turns.ts';

const numbers = Array.from({ length: 100 }, (_, number) => number);

it('gives every value once, in order', async () => {
  const given: number[] = [];
  for await (const number of inTurns(numbers)) given.push(number);
  expect(given).toEqual(numbers);
});

it('others have their turn before a tenth of them is through', async () => {
  const given: number[] = [];
  let before = Number.NaN;
  setImmediate(() => {
    before = given.length;
  });
  for await (const number of inTurns(numbers)) given.push(number);
  expect(before).toBeLessThan(10);
});
