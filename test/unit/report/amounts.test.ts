import { expect, it } from 'vitest';
import { many, minuteOf, number } from '../../../src/report/format.ts';

it.each([
  [12_345.6, '12,346'],
  [120.4, '120'],
  [12.34, '12.3'],
  [1, '1'],
  [0.034, '0.03'],
  [0, '0'],
])('%d is written as %s', (value, text) => {
  expect(number(value)).toBe(text);
});

it('amounts agree with their nouns', () => {
  expect([0, 1, 10_000].map((amount) => many(amount, 'pod'))).toEqual(['0 pods', '1 pod', '10,000 pods']);
  expect([0.5, 1.04].map((amount) => many(amount, 'core'))).toEqual(['0.5 cores', '1 core']);
});

it('a time is written to the minute', () => {
  expect(minuteOf('2026-11-21T04:05:06.789Z')).toBe('2026-11-21 04:05');
});
