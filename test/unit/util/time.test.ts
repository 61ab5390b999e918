import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration, systemClock } from '../../../src/util/time.ts';
import { warningsDuring } from '../../builders/report.ts';

// biome-ignore format: as many as fit on a line
it.each([
  ['0', 0], ['0s', 0], ['1ms', 1], ['250ms', 250], ['90s', 90_000], ['5m', 300_000], ['1h30m', 5_400_000],
  ['1h30m15s', 5_415_000], ['2d', 172_800_000], ['1w', 604_800_000], ['1.5h', 5_400_000], ['0.5s', 500],
  ['1s500ms', 1_500], ['1m1m', 120_000],
])('a duration is read: %s is %i ms', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

describe('nothing else is a duration', () => {
  it.each([
    ...['', ' ', '5', '5 m', ' 5m', '5m ', '-5m', '+5m', '5M', '5min', 'm', '.5s', '5.s', '1,5h', '1e3s'],
    ...['0x10s', '5m-1s', 'NaN', 'Infinity', 'Infinitys', '٥m', 'PT5M', '5m;', '5y', '5m\n'],
    ...[`${'9'.repeat(30)}w`, '1m'.repeat(17)],
  ])('%j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('and no text makes the parser throw or give anything but a length of time', () => {
    const likely = fc.stringMatching(/^[0-9.]{1,5}(ms|[wdhms]){0,2}[0-9]{0,3}[smh]?$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), likely), (text) => {
        const parsed = parseDuration(text);
        if (parsed !== undefined) expect(Number.isSafeInteger(parsed) && parsed >= 0).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a duration is written', () => {
  // biome-ignore format: as many as fit on a line
  it.each([
    [0, '0s'], [40, '0s'], [500, '0.5s'], [12_500, '12.5s'], [59_000, '59s'], [59_949, '59.9s'], [59_950, '1m'],
    [59_999, '1m'], [60_000, '1m'], [90_000, '1m30s'], [3_600_000, '1h'], [5_400_000, '1h30m'],
    [5_415_000, '1h30m'], [86_400_000, '1d'], [100_800_000, '1d4h'], [400 * 86_400_000, '400d'],
  ])('%i ms is %s', (time, expected) => {
    expect(formatDuration(time)).toBe(expected);
  });

  it('so that reading it gives back nearly the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 * 365 * 86_400_000 }), (time) => {
        const read = parseDuration(formatDuration(time));
        if (read === undefined) expect.fail('not read');
        // The two largest units that are not zero: at most a day's hours short, and a tenth of a second below a minute.
        expect(Math.abs(time - read)).toBeLessThan(Math.max(51, time / 24));
      }),
    );
  });
});

it('1,000 pods may wait at once, and wake as soon as the sweep stops', async () => {
  const stopping = new AbortController();
  const warnings = await warningsDuring(async () => {
    const waits = Array.from({ length: 1_000 }, () => systemClock.sleep(3_600_000, stopping.signal));
    stopping.abort();
    await Promise.all(waits);
  });
  expect(warnings).toEqual([]);
});

it('a negative time is no wait, nor is any once the sweep has stopped', async () => {
  await systemClock.sleep(-1, new AbortController().signal);
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
