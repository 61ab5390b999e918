import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStop } from '../../../src/cli/signals.ts';
import type { StopReason } from '../../../src/model/outcome.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stopAfter(deadline?: number) {
  let tell = (_reason: StopReason) => {};
  const stop = createStop(deadline, {
    onStop: (callback) => {
      tell = callback;
    },
  });
  return { stop, tell: (reason: StopReason) => tell(reason) };
}

it('the first reason to stop counts', () => {
  const { stop, tell } = stopAfter(1_000);
  vi.advanceTimersByTime(999);
  expect(stop.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  tell('Signal');
  stop.now('LockLost');
  expect(stop.signal.reason).toBe('Deadline');
});

it.each(['Signal', 'InternalError'] as const)('an event of the process is a reason to stop: %s', (reason) => {
  const { stop, tell } = stopAfter();
  tell(reason);
  expect(stop.signal.reason).toBe(reason);
});

it('is late when requests under way have had their time', () => {
  const { stop, tell } = stopAfter();
  vi.advanceTimersByTime(60_000);
  tell('Signal');
  vi.advanceTimersByTime(2_600);
  expect(stop.late.aborted).toBe(false);
  vi.advanceTimersByTime(100);
  expect(stop.late.aborted).toBe(true);
});

it('gives up writes before the five seconds are over, also after it was cleared', () => {
  const { stop, tell } = stopAfter();
  stop.clear();
  tell('Signal');
  vi.advanceTimersByTime(3_999);
  expect(stop.over.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(stop.over.aborted).toBe(true);
});

it('a sweep that is done has no deadline, and may still be late', () => {
  const { stop, tell } = stopAfter(1_000);
  stop.clearDeadline();
  vi.advanceTimersByTime(2_000);
  expect(stop.signal.aborted).toBe(false);
  tell('Signal');
  expect(vi.getTimerCount()).toBe(2);
  stop.clear();
  // The one that keeps nothing alive.
  expect(vi.getTimerCount()).toBe(1);
});

it('a cleared deadline stops nothing, and does not keep the process alive', () => {
  const { stop } = stopAfter(1_000);
  stop.clear();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(2_000);
  expect(stop.signal.aborted).toBe(false);
});
