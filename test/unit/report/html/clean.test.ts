import { expect, it } from 'vitest';
import { clean } from '../../../../src/report/html/clean.ts';

it('takes what controls terminals and turns text around out of every text, keys as well', () => {
  const hostile = { 'key\u001b[31m': ['a\u202Eb', { deep: 'line\nline\u2028end' }], number: 1, none: null };
  expect(clean(hostile)).toEqual({ 'key [31m': ['a b', { deep: 'line line end' }], number: 1, none: null });
});

it('bounds the length of a text', () => {
  expect(clean(['x'.repeat(100_000)])[0]).toHaveLength(513);
});
