import { expect, it } from 'vitest';
import { within } from '../../../src/lock/within.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../../emulator/index.ts';

it('aborts work that takes too long, and no other', async () => {
  const time = steppedClock(0);
  const clock = clockOf(time);
  const work = (takes: number) =>
    within(1_000, clock, async (abort) => {
      await clock.sleep(takes, abort);
      return abort.aborted;
    });
  const both = Promise.all([work(999), work(2_000)]);
  await time.advance(1_000);
  expect(await both).toEqual([false, true]);
});
