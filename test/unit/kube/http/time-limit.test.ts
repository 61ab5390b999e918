import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeLimit } from '../../../../src/kube/http/time-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is over after its time', () => {
  const limit = new TimeLimit(100);
  vi.advanceTimersByTime(99);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit.signal.aborted).toBe(true);
});

it('does not run during work of our own, and begins anew after it', async () => {
  const limit = new TimeLimit(100);
  vi.advanceTimersByTime(99);
  const work = limit.apart(async () => vi.advanceTimersByTime(10_000));
  await work;
  vi.advanceTimersByTime(99);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit.signal.aborted).toBe(true);
});

it('that has ended is never over', () => {
  const limit = new TimeLimit(100);
  limit.end();
  vi.advanceTimersByTime(1_000);
  expect(limit.signal.aborted).toBe(false);
});
