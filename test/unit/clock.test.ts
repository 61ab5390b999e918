import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { warningsDuring } from '../builders/warnings.ts';

it('1,000 pods may wait at once, and wake as soon as the sweep stops', async () => {
  const stopping = new AbortController();
  const warnings = await warningsDuring(async () => {
    const waits = Array.from({ length: 1_000 }, () => systemClock.sleep(3_600_000, stopping.signal));
    stopping.abort();
    await Promise.all(waits);
  });
  expect(warnings).toEqual([]);
});

it('a time that has passed is no wait', async () => {
  await systemClock.sleep(-1, new AbortController().signal);
});

it('nobody waits once the sweep has stopped', async () => {
  await systemClock.sleep(3_600_000, AbortSignal.abort());
});

it('a wait of years does not end at once', async () => {
  const stopping = new AbortController();
  let isOver = false;
  const warnings = await warningsDuring(async () => {
    const wait = systemClock.sleep(1e12, stopping.signal).then(() => {
      isOver = true;
    });
    await systemClock.sleep(20, stopping.signal);
    expect(isOver).toBe(false);
    stopping.abort();
    await wait;
  });
  expect(warnings).toEqual([]);
});
