import { describe, expect, it } from 'vitest';
import {
  flag,
  integer,
  many,
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
