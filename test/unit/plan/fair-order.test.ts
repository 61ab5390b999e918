import { expect, it } from 'vitest';
import { inFairOrder } from '../../../src/plan/fair-order.ts';
import { now } from '../../builders/pod-view.ts';
import { nameOf, type Stuck, stuckPlan } from '../../builders/stuck-plans.ts';

function order(...pods: readonly Stuck[]): readonly string[] {
  return inFairOrder(pods.map(stuckPlan), now).map(nameOf);
}

it('the pods that waste most go first', () => {
  const pods = [
    { name: 'small', cpu: 0.1, minutes: 60 },
    { name: 'old', cpu: 1, minutes: 600 },
    { name: 'large', cpu: 8, minutes: 60 },
  ];
  expect(order(...pods)).toEqual(['old', 'large', 'small']);
});

it('pods without requests go by age', () => {
  const pods = [30, 50, 40].map((minutes) => ({ name: `${minutes}`, cpu: 0, minutes }));
  expect(order(...pods)).toEqual(['50', '40', '30']);
});

it('namespaces alternate, however much one of them wastes', () => {
  const large = [5, 4, 3].map((cpu) => ({ name: `large-${cpu}`, namespace: 'large', cpu }));
  const small = [2, 1].map((cpu) => ({ name: `small-${cpu}`, namespace: 'small', cpu }));
  expect(order(...large, ...small)).toEqual(['large-5', 'small-2', 'large-4', 'small-1', 'large-3']);
});

it('pods that waste the same stay as they were listed', () => {
  expect(order({ name: 'b' }, { name: 'a' }, { name: 'c' })).toEqual(['b', 'a', 'c']);
});
