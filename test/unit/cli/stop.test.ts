import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStop } from '../../../src/cli/stop.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stop, and a function that simulates a signal to the process. */
function stopAfter(deadline?: number) {
  let signalled = () => {};
  const stop = createStop(deadline, {
    onSignal: (callback) => {
      signalled = callback;
    },
  });
  return { stop, signalled: () => signalled() };
}

it('the first reason to stop counts', () => {
  const { stop, signalled } = stopAfter(1_000);
  vi.advanceTimersByTime(999);
  expect(stop.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  signalled();
  stop.now('LockLost');
  expect(stop.signal.reason).toBe('Deadline');
});

it('a signal to the process is a reason to stop', () => {
  const { stop, signalled } = stopAfter();
  signalled();
  expect(stop.signal.reason).toBe('Signal');
});

it('a cleared deadline stops nothing, and does not keep the process alive', () => {
  const { stop } = stopAfter(1_000);
  stop.clear();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(2_000);
  expect(stop.signal.aborted).toBe(false);
});
