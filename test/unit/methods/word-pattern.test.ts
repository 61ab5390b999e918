import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesWords } from '../../../src/methods/word-pattern.ts';
import { growth, quadratic } from '../../builders/growth.ts';

describe('a pattern', () => {
  it.each([
    ['kill', 'kill', true],
    ['kill', 'kil', false],
    ['kill', 'killall', false],
    ['', '', true],
    ['.*', 'xx', false],
    ['<word>', 'envoy', true],
    ['<word>', '/usr/bin/envoy-1.2', true],
    ['<word>', './-envoy', true],
    ['<word>', '', false],
    ['<word>', '-f', false],
    ['<word>', '...', false],
    ['<word>', './-', false],
    ['<word>', 'a b', false],
    ['<word>', 'a;b', false],
    ['<word>', 'a\n', false],
    ['<word>', 'ä', false],
    ['--port=<word>', '--port=15', true],
    ['--port=<word>', '--port=-1', false],
    ['$(pidof <word>)', '$(pidof envoy)', true],
    ['$(pidof <word>)', '$(pidof envoy', false],
    ['<word>.<word>', 'a.b', true],
    ['<word>.<word>', 'a.', false],
    ['<word><word>', 'ab', true],
    ['<word><word>', 'a', false],
    ['<word>😀', 'a😀', true],
  ])('%j fits %j: %s', (pattern, text, expected) => {
    expect(matchesWords(pattern, text)).toBe(expected);
  });

  it('fits what the expression fitted that it once was', () => {
    const anyWord = '(?:[._/][._/-]*)?[A-Za-z0-9][A-Za-z0-9._/-]*';
    const piece = fc.constantFrom('<word>', 'a', '-', '.', ' ', '1');
    const text = fc.string({ unit: fc.constantFrom('a', '-', '.', '/', ' ', '1'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), text, (pieces, candidate) => {
        const parts = pieces.map((each) => (each === '<word>' ? anyWord : each.replace('.', '\\.')));
        const expected = new RegExp(`^${parts.join('')}$`).test(candidate);
        expect(matchesWords(pieces.join(''), candidate)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([1, 4, 8])(
    'of %i placeholders takes time that grows with the name, not with its square',
    (words) => {
      const matching = (size: number) => () => matchesWords('<word>'.repeat(words), `${'a'.repeat(size)}!`);
      expect(growth(matching, 250)).toBeLessThan(quadratic);
    },
  );

  it('takes time that grows with its placeholders, not with their square', () => {
    const matching = (size: number) => () => matchesWords('<word>'.repeat(size), `${'a'.repeat(500)}!`);
    expect(growth(matching, 8)).toBeLessThan(quadratic);
  });
});
