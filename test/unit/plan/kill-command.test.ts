import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSignal, parseKillCommand, withSignal } from '../../../src/plan/kill-command.ts';

function wordsOf(text: string): readonly string[] {
  const command = parseKillCommand(text);
  if (command.kind === 'Bad') expect.fail(`${text} is ${command.problem}`);
  return command.words;
}

describe('the commands of Argo’s documents', () => {
  it.each([
    [
      '["pilot-agent", "request", "POST", "quitquitquit"]',
      ['pilot-agent', 'request', 'POST', 'quitquitquit'],
      ['pilot-agent', 'request', 'POST', 'quitquitquit'],
    ],
    ['["sh", "-c", "kill -%d 1"]', ['sh', '-c', 'kill -15 1'], ['sh', '-c', 'kill -9 1']],
    [
      '["sh", "-c", "kill -%d $(pidof entrypoint.sh)"]',
      ['sh', '-c', 'kill -15 $(pidof entrypoint.sh)'],
      ['sh', '-c', 'kill -9 $(pidof entrypoint.sh)'],
    ],
  ])('%s', (text, term, kill) => {
    const words = wordsOf(text);
    expect(withSignal(words, 15)).toEqual(term);
    expect(withSignal(words, 9)).toEqual(kill);
  });

  it.each([
    ['["pilot-agent", "request", "POST", "quitquitquit"]', false],
    ['["sh", "-c", "kill -%d 1"]', true],
    ['["date", "+%D", "100%"]', false],
  ])('%s: does it depend on the signal? %s', (text, expected) => {
    expect(hasSignal(wordsOf(text))).toBe(expected);
  });
});

describe('only %d becomes the signal', () => {
  it.each([
    ['kill -%d 1', 'kill -15 1'],
    ['%d%d%d', '151515'],
    ['%d', '15'],
    ['%%d', '%15'],
    ['%%', '%%'],
    ['%s %v %x', '%s %v %x'],
    ['%D', '%D'],
    ['% d', '% d'],
    ['%1$d', '%1$d'],
    ['%9999999d', '%9999999d'],
    ['%', '%'],
    // Replacement patterns of String.replace, and what a shell would expand.
    ['$& $1 $$ $` %d', '$& $1 $$ $` 15'],
    ['$SIGNAL `id` $(id)', '$SIGNAL `id` $(id)'],
    ['\\d \\%d', '\\d \\15'],
    ['', ''],
  ])('%j with 15 is %j', (word, expected) => {
    expect(withSignal(['program', word], 15)).toEqual(['program', expected]);
  });

  it('for any words: what stood between the %d stands there still', () => {
    const pieces = fc.array(
      fc.string({ unit: 'grapheme' }).filter((piece) => !piece.includes('%d')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 64 }), (between, signal) => {
        const word = between.join('%d');
        // Pieces can form a %d with their neighbours: `%` before, `d` after.
        fc.pre(word.split('%d').length === between.length);
        expect(withSignal([word], signal)).toEqual([between.join(String(signal))]);
      }),
    );
  });

  it('for any words: their number stays, and those without %d stay as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const sent = withSignal(words, 9);
        expect(sent).toHaveLength(words.length);
        for (const [index, word] of words.entries()) {
          if (!word.includes('%d')) expect(sent[index]).toBe(word);
        }
        expect(hasSignal(sent.filter((word) => !word.includes('9')))).toBe(false);
      }),
    );
  });
});

describe('anything but a JSON array of strings is bad', () => {
  const deep = '['.repeat(2_000) + ']'.repeat(2_000);
  it.each([
    ['', 'not JSON'],
    [' ', 'not JSON'],
    ['kill -15 1', 'not JSON'],
    ["['sh', '-c', 'kill 1']", 'not JSON'],
    ['["sh", "-c"', 'not JSON'],
    ['["sh",]', 'not JSON'],
    ['["sh"] ["-c"]', 'not JSON'],
    ['\ufeff["sh"]', 'not JSON'],
    ['["a\nb"]', 'not JSON'],
    ['NaN', 'not JSON'],
    ['null', 'not a JSON array'],
    ['true', 'not a JSON array'],
    ['15', 'not a JSON array'],
    ['"kill -15 1"', 'not a JSON array'],
    ['{"0": "sh", "length": 1}', 'not a JSON array'],
    ['[]', 'an empty array'],
    ['[null]', 'not only strings'],
    ['["kill", 15]', 'not only strings'],
    ['["sh", ["-c"]]', 'not only strings'],
    ['[{"toString": "sh"}]', 'not only strings'],
    [deep, 'not only strings'],
    ['[""]', 'no program: the first string is empty'],
    ['["", "-c"]', 'no program: the first string is empty'],
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

  it('the limits are reached by what is exactly as long', () => {
    const longest = JSON.stringify(['x'.repeat(4_092)]);
    expect(Buffer.byteLength(longest)).toBe(4_096);
    expect(parseKillCommand(longest).kind).toBe('Command');
    expect(parseKillCommand(JSON.stringify(['x'.repeat(4_093)])).kind).toBe('Bad');
    expect(parseKillCommand(JSON.stringify(Array(64).fill('x'))).kind).toBe('Command');
  });

  it('the limit is in bytes, not in characters', () => {
    expect(parseKillCommand(JSON.stringify(['€'.repeat(1_500)]))).toEqual({
      kind: 'Bad',
      problem: 'longer than 4096 bytes',
    });
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

it('a command’s words keep blanks, line ends, empty arguments and characters of any kind', () => {
  expect(wordsOf(' [ "sh" , "-c", "a\\n b", "", "ü🚀\\ud83d\\ude80" ] ')).toEqual([
    'sh',
    '-c',
    'a\n b',
    '',
    'ü🚀🚀',
  ]);
});
