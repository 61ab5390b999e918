import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeLimit } from '../../../../src/kube/client/exchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is over after its time', () => {
  const limit = new TimeLimit(100, new AbortController().signal);
  vi.advanceTimersByTime(99);
  expect(limit).toMatchObject({ isOver: false, isStopped: false });
  vi.advanceTimersByTime(1);
  expect(limit).toMatchObject({ isOver: true, isStopped: true });
});

it('does not run during work of our own, and begins anew after it', async () => {
  const limit = new TimeLimit(100, new AbortController().signal);
  vi.advanceTimersByTime(99);
  const work = limit.apart(async () => vi.advanceTimersByTime(10_000));
  await work;
  vi.advanceTimersByTime(99);
  expect(limit).toMatchObject({ isOver: false, isStopped: false });
  vi.advanceTimersByTime(1);
  expect(limit).toMatchObject({ isOver: true, isStopped: true });
});

it('that has ended is never over', () => {
  const limit = new TimeLimit(100, new AbortController().signal);
  limit.end();
  vi.advanceTimersByTime(1_000);
  expect(limit).toMatchObject({ isOver: false, isStopped: false });
});

it('ends, but is not over, when nobody wants the answer any more', () => {
  const abort = new AbortController();
  const limit = new TimeLimit(100, abort.signal);
  abort.abort();
  expect(limit).toMatchObject({ isOver: false, isStopped: true });
});

it('stops the request that is under way when it is over, the second of two', () => {
  const limit = new TimeLimit(100, new AbortController().signal);
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
  limit.stopBy(first);
  limit.stopBy(second);
  vi.advanceTimersByTime(100);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledTimes(1);
});

it('stops nothing after its end, although work of our own came to its end later', async () => {
  const limit = new TimeLimit(100, new AbortController().signal);
  const stop = vi.fn<() => void>();
  limit.stopBy(stop);
  await limit.apart(async () => limit.end());
  vi.advanceTimersByTime(100);
  expect(stop).not.toHaveBeenCalled();
});

it('hears of nobody any more once it has ended', () => {
  const abort = new AbortController();
  const limit = new TimeLimit(100, abort.signal);
  limit.end();
  const stop = vi.fn<() => void>();
  limit.stopBy(stop);
  abort.abort();
  expect(stop).not.toHaveBeenCalled();
});
