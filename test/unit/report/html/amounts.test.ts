import { describe, expect, it } from 'vitest';
import { lasted, many, minuteOf, number, resources } from '../../../../src/report/html/amounts.ts';

describe('a number', () => {
  it.each([
    [12_345.6, '12,346'],
    [12.34, '12.3'],
    [0.034, '0.03'],
    [0, '0'],
  ])('%s is written as %s', (value, words) => {
    expect(number(value)).toBe(words);
  });
});

it('a noun is counted', () => {
  expect([many(1, 'pod'), many(10_000, 'pod')]).toEqual(['1 pod', '10,000 pods']);
});

it('resources are cores and GiB', () => {
  expect(resources({ cpu: 1.5, memory: 3 * 2 ** 30 })).toBe('1.5 cores, 3 GiB');
});

it('a time is written to the minute', () => {
  expect(minuteOf('2026-11-22T10:49:59.999Z')).toBe('2026-11-22 10:49');
});

it('what took less than a second is told in milliseconds', () => {
  expect([lasted(40.4), lasted(999), lasted(1_500)]).toEqual(['40 ms', '999 ms', '1.5s']);
});
