import { expect, it } from 'vitest';
import { within } from '../../../src/lock/within.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../../kit/emulator/index.ts';

it('aborts work that takes too long, and no other', async () => {
  const time = steppedClock(0);
  const clock = clockOf(time);
  const { signal: stop } = new AbortController();
  const work = (takes: number) =>
    within(1_000, { clock, stop }, async (abort) => {
      await clock.sleep(takes, abort);
      return abort.aborted;
    });
  const both = Promise.all([work(999), work(2_000)]);
  await time.advance(1_000);
  expect(await both).toEqual([false, true]);
});

it.each([
  ['before it begins', -1, 1_000],
  ['while it is under way', 500, 1_500],
  ['when its time is nearly over', 4_500, 5_000],
])('gives work a second after a stop %s', async (_title, stoppedAt, ends) => {
  const time = steppedClock(0);
  const clock = clockOf(time);
  const stop = new AbortController();
  if (stoppedAt < 0) stop.abort();
  else time.after(stoppedAt, () => stop.abort());
  let endedAt: number | undefined;
  void within(5_000, { clock, stop: stop.signal }, async (abort) => {
    await clock.sleep(60_000, abort);
    endedAt = time.now().getTime();
  });
  while (endedAt === undefined) await time.advance(100);
  expect(endedAt).toBe(ends);
});
