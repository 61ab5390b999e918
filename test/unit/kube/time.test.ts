import { describe, expect, it } from 'vitest';
import { microTime, parseTime } from '../../../src/kube/json.ts';

const time = Date.UTC(2026, 10, 21, 4, 0, 5);

describe('a time is parsed', () => {
  it.each([
    ['from an object', '2026-11-21T04:00:05Z', time],
    ['from a lease', '2026-11-21T04:00:05.250000Z', time + 250],
    ['with another time zone', '2026-11-21T05:30:05+01:30', time],
    ['from a Date header', 'Sat, 21 Nov 2026 04:00:05 GMT', time],
  ])('%s', (_title, value, expected) => {
    expect(parseTime(value)).toBe(expected);
  });

  it.each([undefined, null, '', 'soon', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', 0, time, {}, []])(
    'but not from %j',
    (value) => {
      expect(parseTime(value)).toBeUndefined();
    },
  );
});

it('a MicroTime has six decimal places, and can be parsed', () => {
  expect(microTime(time)).toBe('2026-11-21T04:00:05.000000Z');
  expect(microTime(time + 7)).toBe('2026-11-21T04:00:05.007000Z');
  expect(parseTime(microTime(time + 7))).toBe(time + 7);
});
