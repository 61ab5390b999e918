import { expect, it } from 'vitest';
import { indented, widthOf, wrap } from '../../../src/report/columns.ts';

it('the width of a text is what a terminal shows of it', () => {
  expect(['abc', 'é', '日本', '\u001b[31mred\u001b[39m'].map(widthOf)).toEqual([3, 1, 4, 3]);
});

it('a text is wrapped between words, and indented from the second line on', () => {
  expect(wrap('one two three four', 9)).toEqual(['one two', '  three', '  four']);
  expect(wrap('one two three four', 18)).toEqual(['one two three four']);
  expect(wrap('one two', undefined)).toEqual(['one two']);
});

it('a word that is too long stands alone, without the indent that it has no room for', () => {
  expect(wrap('see extraordinarily far', 8)).toEqual(['see', 'extraordinarily', '  far']);
  expect(wrap('extraordinarily', 3)).toEqual(['extraordinarily']);
});

it('an indent takes no more than there is room for', () => {
  expect([10, 4, 3, 1, undefined].map((width) => indented('abc', width, 2))).toEqual([
    '  abc',
    ' abc',
    'abc',
    'abc',
    '  abc',
  ]);
});
