import { expect, it } from 'vitest';
import { Budget } from '../../../src/report/counts.ts';

it('of each kind and altogether, only so much is told, and the rest is counted', () => {
  const budget = new Budget({ ofKind: 3, altogether: 5 });
  expect(budget.admit('a', [1, 2])).toEqual([1, 2]);
  expect(budget.admit('a', [3, 4])).toEqual([]);
  expect(budget.admit('a', [3])).toEqual([3]);
  expect(budget.admit('b', [5, 6])).toEqual([5, 6]);
  expect(budget.admit('c', [7])).toEqual([]);
  expect(budget.admit('c', [])).toEqual([]);
  expect(budget.leftOut).toBe(3);
});
