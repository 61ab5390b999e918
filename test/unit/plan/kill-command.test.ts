import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKillCommand } from '../../../src/plan/owners-steps.ts';

describe('anything but a JSON array of strings is bad', () => {
  const deep = '['.repeat(2_000) + ']'.repeat(2_000);
  it.each([
    ['kill -15 1', 'not JSON'],
    ['["sh",]', 'not JSON'],
    ['\ufeff["sh"]', 'not JSON'],
    ['null', 'not a JSON array'],
    ['"kill -15 1"', 'not a JSON array'],
    ['{"0": "sh", "length": 1}', 'not a JSON array'],
    ['[]', 'an empty array'],
    ['[null]', 'not only strings'],
    ['["kill", 15]', 'not only strings'],
    [deep, 'not only strings'],
    ['[""]', 'no program: the first string is empty'],
    ['["sh", "a\\u0000b"]', 'a NUL character in it'],
    ['["sh", "\\ud83d"]', 'half a character in it'],
    ['["sh", "\\ude80\\ud83d"]', 'half a character in it'],
    ['["sh", "\ud83d"]', 'half a character in it'],
    [JSON.stringify(['sh', 'x'.repeat(5_000)]), 'longer than 4096 bytes'],
    ['['.repeat(200_000), 'longer than 4096 bytes'],
    [JSON.stringify(Array(65).fill('x')), 'more than 64 words'],
  ])('%.40j is %s', (text, problem) => {
    expect(parseKillCommand(text)).toEqual({ kind: 'Bad', problem });
  });

  it('what is exactly as long as a limit is read', () => {
    const longest = JSON.stringify(['x'.repeat(4_092)]);
    expect(Buffer.byteLength(longest)).toBe(4_096);
    expect(parseKillCommand(longest).kind).toBe('Command');
    expect(parseKillCommand(JSON.stringify(['x'.repeat(4_093)])).kind).toBe('Bad');
    expect(parseKillCommand(JSON.stringify(Array(64).fill('x'))).kind).toBe('Command');
  });

  it('the limit is in bytes, not in characters', () => {
    const expected = { kind: 'Bad', problem: 'longer than 4096 bytes' };
    expect(parseKillCommand(JSON.stringify(['€'.repeat(1_500)]))).toEqual(expected);
  });

  it('the parser never throws, whatever is written there', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.json().map((json) => `[${json}]`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const command = parseKillCommand(text);
        if (command.kind === 'Command') expect(JSON.parse(text)).toEqual(command.words);
        else expect(command.problem).not.toBe('');
      }),
      { numRuns: 1_000 },
    );
  });
});

it('the words keep blanks, line ends, empty arguments and characters of any kind', () => {
  const expected = { kind: 'Command', words: ['sh', '-c', 'a\n b', '', 'ü🚀🚀'] };
  expect(parseKillCommand(' [ "sh" , "-c", "a\\n b", "", "ü🚀\\ud83d\\ude80" ] ')).toEqual(expected);
});
