import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inChunks, jsonPieces, safeJson } from '../../../src/report/json.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { asJson } from '../../builders/rendered.ts';
import { sweepOf } from '../../builders/report.ts';

const report = sweepOf([]);

function withMessage(message: string): SweepReport {
  return { ...report, unread: [{ problem: 'Rejected', message }] };
}

it.each([
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['a single-character escape sequence', '\u009b2J', '\\u009b2J'],
  ['a delete', '\u007f', '\\u007f'],
  ['a change of the writing direction', '\u202e', '\\u202e'],
  ['a line separator', '\u2028', '\\u2028'],
  ['an invisible tag outside the BMP', '\u{e0041}', '\\udb40\\udc41'],
])('%s in a string is escaped', (_title, character, escaped) => {
  const text = asJson(withMessage(`a${character}b`));
  expect(text).not.toContain(character);
  expect(text).toContain(`a${escaped}b`);
});

it('letters of any language are not escaped', () => {
  expect(asJson(withMessage('naïve 日本語 🚀'))).toContain('naïve 日本語 🚀');
});

it('any string survives a round trip, without terminal control characters in the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (message) => {
      const text = asJson(withMessage(message));
      expect(JSON.parse(text)).toEqual(withMessage(message));
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});

it('the pieces are together what they would be at once', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
      expect([...jsonPieces(document)].join('')).toBe(`${safeJson(document, 2)}\n`);
    }),
  );
  const sparse = { a: undefined, b: [undefined, { c: undefined }] };
  expect(asJson(sparse)).toBe(`${JSON.stringify(sparse, undefined, 2)}\n`);
});

it('no piece grows with the number of pods', () => {
  const one = { problem: 'Rejected', message: 'no' } as const;
  const longest = (count: number) => {
    const many = { ...report, unread: Array.from({ length: count }, () => one) };
    return Math.max(...[...jsonPieces(many)].map(({ length }) => length));
  };
  expect(longest(1000)).toBe(longest(1));
});

it('small pieces are joined, and none is lost', () => {
  const pieces = Array.from({ length: 50_000 }, (_, index) => `${index}\n`);
  const chunks = [...inChunks(pieces)];
  expect(chunks.join('')).toBe(pieces.join(''));
  expect(chunks.length).toBeLessThan(10);
  expect([...inChunks([])]).toEqual([]);
  expect([...inChunks([''])]).toEqual([]);
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
