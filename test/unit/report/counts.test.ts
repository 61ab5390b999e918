import { expect, it } from 'vitest';
import { Budget, countKinds, Tally } from '../../../src/report/counts.ts';

it('counts are sorted by kind', () => {
  const counts = countKinds(['Stuck', 'Ended', 'Stuck']);
  expect(Object.entries(counts)).toEqual([
    ['Ended', 1],
    ['Stuck', 2],
  ]);
});

it('an item counts only once per kind', () => {
  const tally = new Tally();
  tally.addEachOnce([{ kind: 'MainRunning' }, { kind: 'MainRunning' }, { kind: 'TooYoung' }]);
  tally.addEachOnce([{ kind: 'MainRunning' }]);
  expect(tally.counts()).toEqual({ MainRunning: 2, TooYoung: 1 });
});

it('a kind may have the name of an inherited property', () => {
  expect(Object.entries(countKinds(['constructor']))).toEqual([['constructor', 1]]);
});

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
