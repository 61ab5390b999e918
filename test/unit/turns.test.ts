import { describe, expect, it } from 'vitest';
import { finish, inTurns } from '../../src/turns.ts';

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

describe('work in pieces', () => {
  function* pieces(): Generator<undefined, string> {
    for (const _ of numbers) yield;
    return 'all';
  }

  it('comes to its end, and others have their turn before', async () => {
    let isDone = false;
    let heard = true;
    setImmediate(() => {
      heard = isDone;
    });
    expect(await finish(pieces(), new AbortController().signal)).toBe('all');
    isDone = true;
    expect(heard).toBe(false);
  });

  it('has no end after a stop', async () => {
    const stopping = new AbortController();
    setImmediate(() => stopping.abort('Signal'));
    expect(await finish(pieces(), stopping.signal)).toBeUndefined();
  });
});
