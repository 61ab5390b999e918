import { describe, expect, it } from 'vitest';
import { emulatorClock, steppedClock } from '../../../kit/emulator/index.ts';

describe('A stepped clock', () => {
  it('fires timers in order, each at its own time, including those set by other timers', async () => {
    const clock = steppedClock(0);
    const calls: [string, number][] = [];
    const note = (name: string) => () => calls.push([name, clock.now().getTime()]);
    clock.after(20, note('second'));
    clock.after(10, () => {
      note('first')();
      clock.after(5, note('in between'));
    });
    clock.after(20, note('third'));
    clock.after(31, note('too late'));
    await clock.advance(30);
    expect(calls).toEqual([
      ['first', 10],
      ['in between', 15],
      ['second', 20],
      ['third', 20],
    ]);
    expect(clock.now().getTime()).toBe(30);
  });

  it('does not fire cancelled timers', async () => {
    const clock = steppedClock(0);
    let called = false;
    const cancel = clock.after(10, () => {
      called = true;
    });
    cancel();
    await clock.advance(20);
    expect(called).toBe(false);
  });
});

describe('The emulator’s clock', () => {
  it('runs faster than real time by the given factor', async () => {
    const clock = emulatorClock(100, 0);
    await new Promise<void>((resolve) => clock.after(5_000, resolve));
    // Node's timers may be a millisecond or two early.
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(4_500);
  });

  it('changes its speed, also for pending timers, but not for cancelled ones', async () => {
    const clock = emulatorClock(1, 0);
    let called = false;
    const cancel = clock.after(3_600_000, () => {
      called = true;
    });
    const fired = new Promise<number>((resolve) => {
      clock.after(3_600_000, () => resolve(clock.now().getTime()));
    });
    cancel();
    clock.pace(36_000_000);
    expect(await fired).toBeGreaterThanOrEqual(3_600_000);
    expect(called).toBe(false);
  });
});
