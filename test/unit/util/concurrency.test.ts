import { describe, expect, it } from 'vitest';
import { createSlots, inTurns, onAbort, wokenBy } from '../../../src/util/concurrency.ts';
import { warningsDuring } from '../../builders/report.ts';

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
  it('are any number without a warning, and can be removed', async () => {
    const stopping = new AbortController();
    const called: string[] = [];
    const warnings = await warningsDuring(async () => {
      for (let count = 0; count < 20; count++) onAbort(stopping.signal, () => called.push('removed'))();
      for (let count = 0; count < 20; count++) onAbort(stopping.signal, () => called.push('stays'));
    });
    stopping.abort();
    expect({ called, warnings }).toEqual({ called: Array(20).fill('stays'), warnings: [] });
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
