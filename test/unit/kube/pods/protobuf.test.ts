import { expect, it } from 'vitest';
import { pod } from '../../../../src/kube/pods/message.ts';
import {
  converted,
  decode,
  flag,
  integer,
  many,
  map,
  message,
  one,
  text,
} from '../../../../src/kube/pods/protobuf.ts';
import { field } from '../../../builders/api-pod.ts';
import { growth, quadratic } from '../../../builders/growth.ts';

const inner = message({ name: one(1, text) });
const entry = converted(message({ key: one(1, text), value: one(2, text) }), ({ key = '', value = '' }) => {
  return { key, value };
});
const outer = message({
  name: one(1, text),
  words: many(2, text, 2),
  count: one(3, integer),
  open: one(4, flag),
  inner: one(5, inner),
  all: many(6, inner),
  labels: map(7, entry),
});

/** Reads these bytes of a message; the length is put before them. */
function read(...bytes: readonly number[]): unknown {
  return decode(outer, Buffer.from([bytes.length, ...bytes]));
}

const a = 'a'.charCodeAt(0);

// biome-ignore format: one row a line
it.each([
  ['text', [0x0a, 1, a], { name: 'a' }],
  ['no empty text', [0x0a, 0], {}],
  ['texts, empty ones as well', [0x12, 1, a, 0x12, 0], { words: ['a', ''] }],
  ['no more texts than are wanted', [0x12, 0, 0x12, 0, 0x12, 1, a, 0x18, 1], { words: ['', ''], count: 1 }],
  ['numbers', [0x18, 0xac, 0x02], { count: 300 }],
  ['negative numbers', [0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], { count: -1 }],
  ['a number that is 0', [0x18, 0], { count: 0 }],
  ['flags', [0x20, 1], { open: true }],
  ['messages', [0x2a, 3, 0x0a, 1, a], { inner: { name: 'a' } }],
  ['empty messages', [0x2a, 0], { inner: {} }],
  ['lists of messages', [0x32, 3, 0x0a, 1, a, 0x32, 0], { all: [{ name: 'a' }, {}] }],
  ['maps', [0x3a, 6, 0x0a, 1, a, 0x12, 1, a, 0x3a, 3, 0x0a, 1, 98], { labels: { a: 'a', b: '' } }],
  ['nothing of other fields', [0x4a, 2, 9, 9, 0x50, 0x96, 0x01, 0x5d, 1, 2, 3, 4, 0x0a, 1, a], { name: 'a' }],
])('a message is read as the object that it is in JSON %s', (_title, bytes, object) => {
  expect(read(...bytes)).toEqual({ ...outer.absent, ...object });
});

it.each([
  ['a text that is longer than the message', [0x0a, 9, a]],
  ['an inner message that is longer', [0x2a, 9, 0x0a, 1, a]],
  ['an inner message that is cut', [0x2a, 2, 0x0a, 1, a]],
  ['a skipped field that is longer', [0x4a, 200]],
  ['a field of another wire type', [0x08, 1]],
])('damaged bytes are not a message: %s', (_title, bytes) => {
  expect(read(...bytes)).toBeUndefined();
});

it('a pod takes time in proportion to its bytes, even if it alternates between two fields', () => {
  const variable = field(7, field(1, 'A'), field(2, 'b'));
  const argument = field(4, 'x');
  const decoding = (variables: number) => {
    const container = Array.from({ length: variables }, () => [variable, argument]).flat();
    const bytes = field(1, field(2, field(2, ...container))).subarray(1);
    return () => decode(pod, bytes);
  };
  expect(growth(decoding, 2_000)).toBeLessThan(quadratic);
});
