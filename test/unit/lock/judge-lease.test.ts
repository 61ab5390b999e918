import { expect, it } from 'vitest';
import { judgeLease } from '../../../src/lock/judge-lease.ts';
import type { Lease } from '../../../src/ports.ts';

const renewedAt = Date.parse('2026-11-21T04:00:00Z');
const lease: Lease = { holder: 'laptop', duration: 60_000, renewedAt, resourceVersion: '1' };
const ageUnknown = { kind: 'AgeUnknown', holder: 'laptop' };
const occupied = { kind: 'Occupied', holder: 'laptop' };

it.each<readonly [title: string, lease: Partial<Lease>, now: number | undefined, verdict: object]>([
  ['just renewed is occupied', {}, renewedAt, occupied],
  ['is occupied until its duration is over', {}, renewedAt + 59_999, occupied],
  ['is free when its duration is over', {}, renewedAt + 60_000, { kind: 'Free' }],
  ['that was given back is free', { holder: '' }, renewedAt, { kind: 'Free' }],
  ['with a time that cannot be read is of unknown age', { renewedAt: undefined }, renewedAt, ageUnknown],
  ['without a duration is free', { duration: 0 }, renewedAt, { kind: 'Free' }],
  ['is of unknown age, not free, when the server does not tell the time', {}, undefined, ageUnknown],
  ['that was given back is free whatever the time', { holder: '' }, undefined, { kind: 'Free' }],
])('a lease %s', (_title, changed, now, verdict) => {
  expect(judgeLease({ ...lease, ...changed }, now)).toEqual(verdict);
});
