import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filled,
  Interned,
  integer,
  isRecord,
  list,
  parseJson,
  parseTime,
  record,
  records,
  text,
  texts,
} from '../../../src/util/json.ts';

const numbers = [0, 1, 1.5, -1, 2 ** 53];
const values: readonly unknown[] = ['', 'a', ...numbers, true, null, undefined, [], ['a'], {}, { a: 1 }];

describe('JSON', () => {
  it('is parsed', () => {
    const property = fc.property(fc.jsonValue(), (value) => {
      const written = JSON.stringify(value);
      expect(JSON.stringify(parseJson(written))).toBe(written);
    });
    fc.assert(property);
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

const time = Date.UTC(2026, 10, 21, 4, 0, 5);

describe('a time is parsed', () => {
  it.each([
    ['from an object', '2026-11-21T04:00:05Z', time],
    ['from a lease', '2026-11-21T04:00:05.250000Z', time + 250],
    ['with another time zone', '2026-11-21T05:30:05+01:30', time],
    ['from a Date header', 'Sat, 21 Nov 2026 04:00:05 GMT', time],
  ])('%s', (_title, value, expected) => {
    expect(parseTime(value)).toBe(expected);
  });

  it.each([undefined, null, '', 'soon', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', 0, time, {}, []])(
    'but not from %j',
    (value) => {
      expect(parseTime(value)).toBeUndefined();
    },
  );
});

describe('equal values have the same memory:', () => {
  it('the first one replaces all that are equal to it', () => {
    const interned = new Interned<readonly string[]>();
    const first = ['/bin/run', '--verbose'];
    expect(interned.of(first)).toBe(first);
    expect(interned.of(['/bin/run', '--verbose'])).toBe(first);
  });

  it('different values stay apart', () => {
    const interned = new Interned<readonly string[]>();
    const all = [['a', 'b'], ['a,b'], ['a'], ['ab'], ['b', 'a'], []];
    expect(all.map((one) => interned.of(one))).toEqual(all);
    expect(new Set(all.map((one) => interned.of([...one]))).size).toBe(all.length);
  });
});

describe('the memory is bounded:', () => {
  it('old values are forgotten among many new ones, and later ones are shared again', () => {
    const interned = new Interned<readonly string[]>();
    const first = interned.of(['first']);
    for (let index = 0; index < 1_000; index++) interned.of([String(index).padEnd(1_000, '.')]);
    const second = interned.of(['first']);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(interned.of(['first'])).toBe(second);
  });

  it('a large value is not remembered, and displaces no other', () => {
    const interned = new Interned<readonly string[]>();
    const small = interned.of(['small']);
    const large = ['x'.repeat(1024 * 1024)];
    expect(interned.of(large)).toBe(large);
    expect(interned.of([...large])).not.toBe(large);
    expect(interned.of(['small'])).toBe(small);
  });
});
