import { expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/nearest.ts';

const words = ['scan', 'explain', 'check-access', 'istio'];

it.each([
  ['scann', 'scan'],
  ['sacn', 'scan'],
  ['explian', 'explain'],
  ['chek-access', 'check-access'],
  ['isto', 'istio'],
  ['linkerd', undefined],
  ['', undefined],
])('%j means %j', (word, meant) => {
  expect(nearest(word, words)).toBe(meant);
});

it('is asked in parentheses, if there is one', () => {
  expect([didYouMean('scann', words), didYouMean('xyz', words)]).toEqual([' (did you mean scan?)', '']);
});
