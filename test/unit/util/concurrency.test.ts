import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSlots, finish, inTurns, onAbort, wokenBy } from '../../../src/util/concurrency.ts';

/** Work that goes on until it is told to end. */
function openWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}

it('no more work runs at a time than there are slots, and all of it runs in the end', async () => {
  const slots = createSlots(3);
  let inFlight = 0;
  let most = 0;
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      slots(async () => {
        most = Math.max(most, ++inFlight);
        await Promise.resolve();
        inFlight--;
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

it('work that fails gives its slot back', async () => {
  const slots = createSlots(1);
  await expect(slots(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await slots(async () => 'next')).toBe('next');
});

it('work waits for a slot, and starts as soon as there is one', async () => {
  const slots = createSlots(1);
  const first = openWork();
  const holding = slots(() => first.ended);
  let started = false;
  const second = slots(async () => {
    started = true;
  });
  await Promise.resolve();
  expect(started).toBe(false);
  first.end();
  await Promise.all([holding, second]);
  expect(started).toBe(true);
});

it('all who wait for a signal are one listener of it, and all hear it', () => {
  const stopping = new AbortController();
  let heard = 0;
  for (let count = 0; count < 1_000; count++) onAbort(stopping.signal, () => heard++);
  expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(1);
  stopping.abort();
  expect(heard).toBe(1_000);
});

it('whoever has left hears nothing', () => {
  const stopping = new AbortController();
  const heard: string[] = [];
  onAbort(stopping.signal, () => heard.push('stays'));
  onAbort(stopping.signal, () => heard.push('leaves'))();
  stopping.abort();
  expect(heard).toEqual(['stays']);
});

it('nothing is left on the signal when all have left, and whoever comes then is heard again', () => {
  const stopping = new AbortController();
  const leave = onAbort(stopping.signal, () => undefined);
  leave();
  leave();
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  const heard: string[] = [];
  onAbort(stopping.signal, () => heard.push('later'));
  leave();
  stopping.abort();
  expect(heard).toEqual(['later']);
});

it('whoever comes after the abort hears it at once', () => {
  const heard: string[] = [];
  onAbort(AbortSignal.abort(), () => heard.push('late'))();
  expect(heard).toEqual(['late']);
});

it.each([
  ['is woken', (wake: () => void) => wake()],
  ['comes too late to wait', () => undefined],
])('whoever %s waits no longer', async (title, give) => {
  await wokenBy(title === 'is woken' ? new AbortController().signal : AbortSignal.abort(), give);
});

it('whoever waits is woken by the abort as well', async () => {
  const stopping = new AbortController();
  const woken = wokenBy(stopping.signal, () => undefined);
  stopping.abort();
  await woken;
});

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
