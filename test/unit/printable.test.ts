import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printable } from '../../src/printable.ts';

it.each([
  ['a\r\nb', 'a b'],
  ['\u001b[31mred\u001b[0m', '[31mred [0m'],
  ['\u001b]8;;http://evil\u0007link', ']8;;http://evil link'],
  ['\u009b31m', '31m'],
  ['left\u202eright', 'left right'],
  ['zero\u200bwidth', 'zero width'],
  ['line\u2028separator', 'line separator'],
  ['half\ud83da rocket', 'half a rocket'],
  ['  around  ', 'around'],
  ['naïve 日本語 🚀', 'naïve 日本語 🚀'],
  ['', ''],
])('%j is printed as %j', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

it('text is cut where it grows too long, and shows that it was', () => {
  expect(printable('x'.repeat(512))).toBe('x'.repeat(512));
  expect(printable('x'.repeat(513))).toBe(`${'x'.repeat(512)}…`);
  expect(printable('abcdef', 3)).toBe('abc…');
});

it('a character of two code units is cut off whole', () => {
  expect(printable('ab🚀', 4)).toBe('ab🚀');
  expect(printable('ab🚀', 3)).toBe('ab…');
  expect(printable('🚀🚀', 2)).toBe('🚀…');
});

it('whatever the text, one line is left that is no longer than asked for and steers no terminal', () => {
  // Rockets and what surrounds half of one.
  const unit = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('🚀', '\ud83d', '\ude80', '\u001b', ' '),
  );
  const text = fc.array(unit).map((units) => units.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (wild, limit) => {
      const line = printable(wild, limit);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(line.replace(/…$/, '').length).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 1_000 },
  );
});
