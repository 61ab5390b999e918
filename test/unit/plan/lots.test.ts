import { expect, it } from 'vitest';
import { withLots } from '../../../src/plan/lots.ts';
import { minute, now } from '../../builders/pod-view.ts';
import { nameOf, stuckPlan } from '../../builders/stuck-plans.ts';

const pods = Array.from({ length: 100 }, (_, number) =>
  stuckPlan({ name: `pod-${String(number).padStart(2, '0')}` }),
);

it('every pod has one place', () => {
  expect(withLots(pods, now)).toHaveLength(100);
  expect(new Set(withLots(pods, now))).toEqual(new Set(pods));
  expect(withLots([], now)).toEqual([]);
  expect(new Set(withLots(pods, undefined))).toEqual(new Set(pods));
});

it('the first three places keep the order, and the fourth is drawn', () => {
  const at = (time: number) => withLots(pods, time).slice(0, 4).map(nameOf);
  expect(at(now).slice(0, 3)).toEqual(['pod-00', 'pod-01', 'pod-02']);
  expect(at(now)[3]).not.toBe(at(now + 5 * minute)[3]);
});

it.each([10_000, minute, 5 * minute, 60 * minute])(
  'with a sweep every %i ms, each pod is among the first four before long',
  (period) => {
    const seen = new Set<string>();
    for (let sweep = 0; sweep < 1_000; sweep++) {
      for (const pod of withLots(pods, now + sweep * period).slice(0, 4)) seen.add(nameOf(pod));
    }
    expect(seen.size).toBe(100);
  },
);
