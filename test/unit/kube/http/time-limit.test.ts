import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeLimit } from '../../../../src/kube/http/time-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is over after its time', () => {
  const limit = new TimeLimit(100, new AbortController().signal);
  vi.advanceTimersByTime(99);
  expect(limit).toMatchObject({ isOver: false, signal: { aborted: false } });
  vi.advanceTimersByTime(1);
  expect(limit).toMatchObject({ isOver: true, signal: { aborted: true } });
});

it('does not run during work of our own, and begins anew after it', async () => {
  const limit = new TimeLimit(100, new AbortController().signal);
  vi.advanceTimersByTime(99);
  const work = limit.apart(async () => vi.advanceTimersByTime(10_000));
  await work;
  vi.advanceTimersByTime(99);
  expect(limit).toMatchObject({ isOver: false, signal: { aborted: false } });
  vi.advanceTimersByTime(1);
  expect(limit).toMatchObject({ isOver: true, signal: { aborted: true } });
});

it('that has ended is never over', () => {
  const limit = new TimeLimit(100, new AbortController().signal);
  limit.end();
  vi.advanceTimersByTime(1_000);
  expect(limit).toMatchObject({ isOver: false, signal: { aborted: false } });
});

it('ends, but is not over, when nobody wants the answer any more', () => {
  const abort = new AbortController();
  const limit = new TimeLimit(100, abort.signal);
  abort.abort();
  expect(limit).toMatchObject({ isOver: false, signal: { aborted: true } });
});

it('hears of nobody any more once it has ended', () => {
  const abort = new AbortController();
  const limit = new TimeLimit(100, abort.signal);
  limit.end();
  abort.abort();
  expect(limit.signal.aborted).toBe(false);
});
