import { expect, it } from 'vitest';
import { inFairOrder, withRotation } from '../../../src/plan/order.ts';
import { nameOf, type Stuck, stuckPlan } from '../../builders/plan.ts';
import { minute, now } from '../../builders/pod-view.ts';
import { gib } from '../../builders/sweeps.ts';

function order(...pods: readonly Stuck[]): readonly string[] {
  return inFairOrder(pods.map(stuckPlan), now).map(nameOf);
}

// biome-ignore format: one row a line
it.each<readonly [title: string, pods: readonly Stuck[], expected: readonly string[]]>([
  ['the pods that waste most go first', [{ name: 'small', cpu: 0.1 }, { name: 'old', cpu: 1, minutes: 600 }, { name: 'large', cpu: 8 }], ['old', 'large', 'small']],
  ['pods without requests go by age', [30, 50, 40].map((minutes) => ({ name: `${minutes}`, cpu: 0, minutes })), ['50', '40', '30']],
  ['pods that waste the same stay as they were listed', [{ name: 'b' }, { name: 'a' }, { name: 'c' }], ['b', 'a', 'c']],
  ['four gibibytes count as one core', [{ name: 'core', cpu: 1 }, { name: '8 GiB', cpu: 0, memory: 8 * gib }, { name: '2 GiB', cpu: 0, memory: 2 * gib }, { name: 'both', cpu: 1, memory: 2 * gib }], ['8 GiB', 'both', 'core', '2 GiB']],
])('%s', (_title, pods, expected) => {
  expect(order(...pods)).toEqual(expected);
});

it('namespaces alternate, however much one of them wastes', () => {
  const large = [5, 4, 3].map((cpu) => ({ name: `large-${cpu}`, namespace: 'large', cpu }));
  const small = [2, 1].map((cpu) => ({ name: `small-${cpu}`, namespace: 'small', cpu }));
  expect(order(...large, ...small)).toEqual(['large-5', 'small-2', 'large-4', 'small-1', 'large-3']);
});

const many = Array.from({ length: 100 }, (_, number) =>
  stuckPlan({ name: `pod-${String(number).padStart(2, '0')}` }),
);

it('every pod has one place', () => {
  expect(withRotation(many, now)).toHaveLength(100);
  expect(new Set(withRotation(many, now))).toEqual(new Set(many));
  expect(withRotation([], now)).toEqual([]);
  expect(new Set(withRotation(many, undefined))).toEqual(new Set(many));
});

it('what rotates goes by uid, from a place that the time decides', () => {
  const pods = ['h', 'g', 'f', 'e', 'd', 'c', 'a', 'b'].map((name) => stuckPlan({ name }));
  const at = (time: number | undefined) => withRotation(pods, time).map(nameOf).join('');
  expect(at(undefined)).toBe('hgfaedcb');
  expect(at(2_500)).toBe('hgfedcab');
  expect(at(2_000)).toBe('hgfbedca');
});

it('the first three places keep the order, and the fourth rotates', () => {
  const at = (time: number) => withRotation(many, time).slice(0, 4).map(nameOf);
  expect(at(now).slice(0, 3)).toEqual(['pod-00', 'pod-01', 'pod-02']);
  expect(at(now)[3]).not.toBe(at(now + 5 * minute)[3]);
});

it.each([10_000, minute, 5 * minute, 60 * minute])(
  'with a sweep every %i ms, each pod is among the first four before long',
  (period) => {
    const seen = new Set<string>();
    for (let sweep = 0; sweep < 1_000; sweep++) {
      for (const pod of withRotation(many, now + sweep * period).slice(0, 4)) seen.add(nameOf(pod));
    }
    expect(seen.size).toBe(100);
  },
);

it('without the server’s time, pods stay as they were listed', () => {
  const pods = [{ name: 'b' }, { name: 'a', cpu: 9 }].map(stuckPlan);
  expect(inFairOrder(pods, undefined).map(nameOf)).toEqual(['b', 'a']);
});
