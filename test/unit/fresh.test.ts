import { describe, expect, it } from 'vitest';
import { freshFor, freshly, stopwatch } from '../../src/fresh.ts';

/** A clock that stands still while the machine sleeps, beside one that goes on. */
function machine() {
  let [now, timeOfDay] = [1_000, 90_000];
  return {
    clock: { now: () => now, timeOfDay: () => timeOfDay, sleep: async () => undefined },
    work(time: number) {
      now += time;
      timeOfDay += time;
    },
    sleep(time: number) {
      timeOfDay += time;
    },
  };
}

describe('time goes by', () => {
  it('while the process works or is suspended, and while its machine sleeps', () => {
    const { clock, work, sleep } = machine();
    const elapsed = stopwatch(clock);
    expect(elapsed()).toBe(0);
    work(300);
    expect(elapsed()).toBe(300);
    sleep(3_600_000);
    expect(elapsed()).toBe(3_600_300);
  });

  it('whichever way a clock is set', () => {
    const { clock, work, sleep } = machine();
    const elapsed = stopwatch(clock);
    sleep(-3_600_000);
    work(7_000);
    expect(elapsed()).toBe(7_000);
  });

  it('by the only clock, if there is one', () => {
    let now = 0;
    const elapsed = stopwatch({ now: () => now, sleep: async () => undefined });
    now = 40;
    expect(elapsed()).toBe(40);
  });
});

describe('a read is repeated', () => {
  it.each<[string, number[], number, boolean?]>([
    ['not if it was quick', [freshFor], 1],
    ['not if it failed', [freshFor + 1], 1, false],
    ['if it took so long that its answer may be old', [freshFor + 1, 0], 2],
    ['but once, because the server may be slow', [freshFor + 1, freshFor + 1], 2],
  ])('%s', async (_title, times, reads, isOfUse = true) => {
    const { clock, sleep } = machine();
    const left = [...times];
    let count = 0;
    const read = async () => {
      sleep(left.shift() ?? 0);
      return ++count;
    };
    expect(await freshly(clock, read, () => isOfUse)).toBe(reads);
  });
});
