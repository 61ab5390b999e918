import { expect, it } from 'vitest';
import { elapsed, iso } from '../../../src/report/format.ts';
import { hour, minute, now } from '../../builders/pod-view.ts';

it('times are in UTC', () => {
  expect(iso(now)).toBe('2026-11-21T04:00:00.000Z');
});

it('a duration is shown if both times are known', () => {
  expect(elapsed(iso(now - hour - minute), iso(now))).toBe('1h1m');
  expect(elapsed(iso(now), undefined)).toBe('?');
});
