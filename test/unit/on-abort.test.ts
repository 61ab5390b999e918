import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { onAbort, wokenBy } from '../../src/on-abort.ts';

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
