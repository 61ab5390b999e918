import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filled,
  integer,
  isRecord,
  list,
  parseJson,
  record,
  records,
  text,
  texts,
} from '../../../src/kube/json.ts';

const values: readonly unknown[] = [
  '',
  'a',
  0,
  1,
  1.5,
  -1,
  2 ** 53,
  true,
  null,
  undefined,
  [],
  ['a'],
  {},
  { a: 1 },
];

describe('JSON', () => {
  it('is parsed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written = JSON.stringify(value);
        expect(JSON.stringify(parseJson(written))).toBe(written);
      }),
    );
  });

  it.each(['', '{', '<html>', 'undefined', '{"a":1} x'])('is not %j', (written) => {
    expect(parseJson(written)).toBeUndefined();
  });
});

it('a record is an object, but not a list', () => {
  expect(values.filter(isRecord)).toEqual([{}, { a: 1 }]);
  expect(values.map(record).filter((value) => Object.keys(value).length > 0)).toEqual([{ a: 1 }]);
});

it('any value but a list becomes an empty list', () => {
  expect(values.map(list).filter(({ length }) => length > 0)).toEqual([['a']]);
  expect(list({ length: 1, 0: 'a' })).toEqual([]);
});

it('only items of the requested type are taken from a list', () => {
  expect(records(values)).toEqual([{}, { a: 1 }]);
  expect(texts(values)).toEqual(['', 'a']);
  expect(records('a')).toEqual([]);
  expect(texts('a')).toEqual([]);
});

it('text is a string, and filled if it is not empty', () => {
  expect(values.flatMap((value) => text(value) ?? [])).toEqual(['', 'a']);
  expect(values.flatMap((value) => filled(value) ?? [])).toEqual(['a']);
});

it('an integer is a safe integer', () => {
  expect(values.flatMap((value) => integer(value) ?? [])).toEqual([0, 1, -1]);
});
