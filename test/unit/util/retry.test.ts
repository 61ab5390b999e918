import { describe, expect, it } from 'vitest';
import { backOff, freshFor, Retries, readFresh, stopwatch } from '../../../src/util/retry.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../../kit/emulator/index.ts';

/** When each try begins, if a try takes this long and all miss. */
async function triesOf(takes: number, asked = 0): Promise<readonly number[]> {
  const time = steppedClock(0);
  const clock = clockOf(time);
  const retries = new Retries({ clock, random: () => 1 });
  const { signal } = new AbortController();
  const times: number[] = [];
  const trying = (async () => {
    do {
      times.push(clock.now());
      await clock.sleep(takes, signal);
    } while (await retries.again(signal, asked));
  })();
  await time.advance(1_000_000);
  await trying;
  return times;
}

it.each([
  ['seven times, after longer and longer pauses', 0, [0, 200, 600, 1_400, 3_000, 6_200, 12_600]],
  ['for 15 seconds, with the tries themselves', 3_000, [0, 3_200, 6_600, 10_400, 15_000]],
  ['but twice in any case', 25_000, [0, 25_200]],
  ['not before the time that the server asks for', 0, [0, 2_000, 4_000, 6_000, 8_000, 11_200], 2_000],
  ['within half a minute', 0, [0, 30_000], 86_400_000],
])('tries again %s', async (_title, takes, times, asked?: number) => {
  expect(await triesOf(takes, asked)).toEqual(times);
});

it('does not try again once the sweep has stopped', async () => {
  const timing = { clock: clockOf(steppedClock(0)), random: () => 0 };
  expect(await new Retries(timing).again(AbortSignal.abort())).toBe(false);
});

it('pauses at random, so that clients that failed together do not retry together', () => {
  const expected = [2_000, 3_000, 3_998];
  expect([0, 0.5, 0.999].map((random) => Math.round(backOff(3, () => random)))).toEqual(expected);
  expect(backOff(30, () => 1)).toBe(10_000);
});

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

it.each<[string, number[], number, boolean?]>([
  ['not if it was quick', [freshFor], 1],
  ['not if it failed', [freshFor + 1], 1, false],
  ['if it took so long that its answer may be old', [freshFor + 1, 0], 2],
  ['but once, because the server may be slow', [freshFor + 1, freshFor + 1], 2],
])('a read is repeated %s', async (_title, times, reads, isUsable = true) => {
  const { clock, sleep } = machine();
  const left = [...times];
  let count = 0;
  const read = async () => {
    sleep(left.shift() ?? 0);
    return ++count;
  };
  expect(await readFresh(clock, read, () => isUsable)).toBe(reads);
});
