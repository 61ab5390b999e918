import { expect, it } from 'vitest';
import { inChunks } from '../../../src/report/json.ts';

it('small pieces are joined, and none is lost', () => {
  const pieces = Array.from({ length: 50_000 }, (_, index) => `${index}\n`);
  const chunks = [...inChunks(pieces)];
  expect(chunks.join('')).toBe(pieces.join(''));
  expect(chunks.length).toBeLessThan(10);
});

it('no more than a chunk is made before it is wanted', () => {
  let made = 0;
  const pieces = function* () {
    for (; made < 1000; made++) yield 'x'.repeat(1024);
  };
  const [first] = inChunks(pieces());
  expect(first).toHaveLength(64 * 1024);
  expect(made).toBeLessThan(65);
});

it('nothing is no chunk', () => {
  expect([...inChunks([])]).toEqual([]);
  expect([...inChunks([''])]).toEqual([]);
});
