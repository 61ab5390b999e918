import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSlots, inTurns, onAbort, wokenBy } from '../../../src/util/concurrency.ts';

const numbers = Array.from({ length: 100 }, (_, number) => number);

it('no more work runs at a time than there are slots, and all of it runs in the end', async () => {
  const slots = createSlots(3);
  let inFlight = 0;
  let most = 0;
  const work = (number: number) => async () => {
    most = Math.max(most, ++inFlight);
    await Promise.resolve();
    inFlight--;
    return number;
  };
  expect(await Promise.all(numbers.map((number) => slots(work(number))))).toEqual(numbers);
  expect(most).toBe(3);
});

describe('callbacks on an abort', () => {
  it('share one listener of the signal, and all are called', () => {
    const stopping = new AbortController();
    let called = 0;
    for (let count = 0; count < 1_000; count++) onAbort(stopping.signal, () => called++);
    expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(1);
    stopping.abort();
    expect(called).toBe(1_000);
  });

  it('can be removed; the last removes the listener, and a later one adds it again', () => {
    const stopping = new AbortController();
    const called: string[] = [];
    const remove = onAbort(stopping.signal, () => called.push('removed'));
    remove();
    remove();
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
    onAbort(stopping.signal, () => called.push('stays'));
    onAbort(stopping.signal, () => called.push('leaves'))();
    remove();
    stopping.abort();
    expect(called).toEqual(['stays']);
  });

  it('are called at once if the signal has aborted', () => {
    const called: string[] = [];
    onAbort(AbortSignal.abort(), () => called.push('late'))();
    expect(called).toEqual(['late']);
  });
});

it('a wait ends when it is woken, when the signal aborts, and at once after that', async () => {
  await wokenBy(new AbortController().signal, (wake) => wake());
  await wokenBy(AbortSignal.abort(), () => undefined);
  const stopping = new AbortController();
  const woken = wokenBy(stopping.signal, () => undefined);
  stopping.abort();
  await woken;
});

it('pods are yielded once, in order, and the event loop turns before a tenth of them', async () => {
  const yielded: number[] = [];
  let before = Number.NaN;
  setImmediate(() => {
    before = yielded.length;
  });
  for await (const number of inTurns(numbers)) yielded.push(number);
  expect(yielded).toEqual(numbers);
  expect(before).toBeLessThan(10);
});
