import { describe, expect, it } from 'vitest';
import {
  flag,
  integer,
  many,
  manyAlike,
  map,
  message,
  one,
  text,
} from '../../../../../src/kube/pods/protobuf/message.ts';
import { FieldReader } from '../../../../../src/kube/pods/protobuf/reader.ts';

const inner = message({ 1: one('name', text) });
const outer = message({
  1: one('name', text),
  2: many('words', text),
  3: one('count', integer),
  4: one('open', flag),
  5: one('inner', inner),
  6: many('all', inner),
  7: map('labels', text),
  8: manyAlike('alike', inner),
});

/** Reads these bytes of a message; the length is put before them. */
function read(...bytes: readonly number[]): unknown {
  return outer.read(new FieldReader(Buffer.from([bytes.length, ...bytes])));
}

const a = 'a'.charCodeAt(0);

describe('a message is read as the object that it is in JSON', () => {
  it.each([
    ['text', [0x0a, 1, a], { name: 'a' }],
    ['no empty text', [0x0a, 0], {}],
    ['texts, empty ones as well', [0x12, 1, a, 0x12, 0], { words: ['a', ''] }],
    ['numbers', [0x18, 0xac, 0x02], { count: 300 }],
    ['negative numbers', [0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], { count: -1 }],
    ['a number that is 0', [0x18, 0], { count: 0 }],
    ['flags', [0x20, 1], { open: true }],
    ['messages', [0x2a, 3, 0x0a, 1, a], { inner: { name: 'a' } }],
    ['empty messages', [0x2a, 0], { inner: {} }],
    ['lists of messages', [0x32, 3, 0x0a, 1, a, 0x32, 0], { all: [{ name: 'a' }, {}] }],
    ['maps', [0x3a, 6, 0x0a, 1, a, 0x12, 1, a, 0x3a, 3, 0x0a, 1, 98], { labels: { a: 'a', b: '' } }],
    [
      'nothing of other fields',
      [0x4a, 2, 9, 9, 0x50, 0x96, 0x01, 0x5d, 1, 2, 3, 4, 0x0a, 1, a],
      { name: 'a' },
    ],
  ])('%s', (_title, bytes, object) => {
    expect(read(...bytes)).toEqual(object);
  });
});

describe('what is alike in many messages', () => {
  const namedA = [0x42, 3, 0x0a, 1, a];
  const namedB = [0x42, 3, 0x0a, 1, 98];

  it.each([
    ['as any list', [...namedA, ...namedB, 0x42, 0], [{ name: 'a' }, { name: 'b' }, {}]],
    ['with another field after it', [...namedA, 0x4a, 1, 0x42], [{ name: 'a' }]],
    ['in several runs', [...namedA, 0x18, 1, ...namedB], [{ name: 'a' }, { name: 'b' }]],
    [
      'with tags that are longer than they need be',
      [0xc2, 0, 3, 0x0a, 1, a, ...namedB],
      [{ name: 'a' }, { name: 'b' }],
    ],
    ['with tags of five bytes', [0xc2, 0x80, 0x80, 0x80, 0x20, 3, 0x0a, 1, a, 0x20, 1], [{ name: 'a' }]],
    ['up to the end of its own message', [...namedA], [{ name: 'a' }]],
  ])('is read %s', (_title, bytes, alike) => {
    expect(read(...bytes)).toMatchObject({ alike });
  });

  it('is one object, as long as the bytes are equal', () => {
    const alike = (...bytes: readonly number[]) => (read(...bytes) as { readonly alike: unknown }).alike;
    const [first, same, other] = [alike(...namedA), alike(...namedA, 0x18, 1), alike(...namedB)];
    expect(same).toBe(first);
    expect([other, alike(...namedB)]).toEqual([[{ name: 'b' }], [{ name: 'b' }]]);
    expect(first).toEqual([{ name: 'a' }]);
  });

  it('is remembered for 256 lengths of up to 16 KiB', () => {
    const ofLength = message({ 1: manyAlike('words', text) });
    const words = (length: number) => {
      const field = [0x0a, ...varint(length), ...Array<number>(length).fill(a)];
      const bytes = Buffer.from([...varint(field.length), ...field]);
      return ofLength.read(new FieldReader(bytes))['words'];
    };
    const [short, long] = [words(1), words(20_000)];
    expect(words(1)).toBe(short);
    expect(words(20_000)).toEqual(long);
    expect(words(20_000)).not.toBe(long);
    for (let length = 2; length < 300; length++) words(length);
    expect(words(1)).toEqual(short);
    expect(words(1)).not.toBe(short);
  });

  it.each([
    ['is longer than the message', [0x42, 9, a]],
    ['ends within one of its values', [...namedA, 0x42, 2, 0x0a, 1]],
    ['holds what is no message', [0x42, 1, 0x0a]],
  ])('leads to a RangeError if it %s', (_title, bytes) => {
    expect(() => read(...bytes)).toThrow(RangeError);
  });
});

function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

describe('a RangeError says of bytes that are no message', () => {
  it.each([
    ['that a text is longer than the message', [0x0a, 9, a]],
    ['that a message within ends behind it', [0x2a, 9, 0x0a, 1, a]],
    ['that a message within is cut', [0x2a, 2, 0x0a, 1, a]],
    ['that a field that is skipped is longer', [0x4a, 200]],
    ['that a field has another wire type', [0x08, 1]],
  ])('%s', (_title, bytes) => {
    expect(() => read(...bytes)).toThrow(RangeError);
  });
});
