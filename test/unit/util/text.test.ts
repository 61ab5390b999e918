import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { didYouMean, nearest, printable } from '../../../src/util/text.ts';
import { hasReadableLogin, unreadable } from '../../../src/util/usage-error.ts';

const x512 = 'x'.repeat(512);

it.each<[text: string, expected: string, most?: number]>([
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
  // It is cut where it grows too long, and shows that it was.
  [x512, x512],
  [`${x512}x`, `${x512}…`],
  ['abcdef', 'abc…', 3],
  // A character of two code units is cut off whole.
  ['ab🚀', 'ab🚀', 4],
  ['ab🚀', 'ab…', 3],
  ['🚀🚀', '🚀…', 2],
])('%j is printed as %j', (text, expected, most) => {
  expect(printable(text, most)).toBe(expected);
});

const words = ['scan', 'explain', 'check-access', 'istio'];

// biome-ignore format: as many as fit on a line
it.each([
  ['scann', 'scan'], ['sacn', 'scan'], ['explian', 'explain'], ['chek-access', 'check-access'], ['isto', 'istio'],
  ['linkerd', undefined], ['', undefined],
])('%j means %j', (word, meant) => {
  expect(nearest(word, words)).toBe(meant);
});

it('is asked in parentheses, if there is one', () => {
  expect([didYouMean('scann', words), didYouMean('xyz', words)]).toEqual([' (did you mean scan?)', '']);
});

// biome-ignore format: as many as fit on a line
it.each([
  ['http://x', true], ['http://me@x', true], ['http://me:pass%20word@x', true],
  ['http://me:100%@x', false], ['http://m%zz:pass@x', false], ['http://me:%c3@x', false],
])('%s: %s', (url, isReadable) => {
  expect(hasReadableLogin(new URL(url))).toBe(isReadable);
});

it.each([
  ['/nonexistent', '/nonexistent cannot be read: it does not exist'],
  ['/', '/ cannot be read: it is a directory; name a file in it'],
  ['/etc/hosts/x', '/etc/hosts/x cannot be read: ENOTDIR'],
])('%s: %s', (file, message) => {
  try {
    readFileSync(file);
    expect.fail('it can be read');
  } catch (error) {
    expect(unreadable(file, error).message).toBe(message);
  }
});

it('stdin has a name, and an error may have no code', () => {
  expect(unreadable('-', 'odd').message).toBe('stdin cannot be read: unknown error');
});
