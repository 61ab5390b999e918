import { expect, it } from 'vitest';
import { problemOfWord } from '../../../src/methods/word.ts';
import { readSteps } from '../../../src/policy/read-steps.ts';

const half = String.fromCharCode(0xd83d);

it.each<readonly [text: string, problem: string | undefined]>([
  ['', undefined],
  ['kill -%d 1', undefined],
  ['a\nb', undefined],
  ['\u{1f600}', undefined],
  ['a\0b', 'a NUL character in it'],
  [half, 'half a character in it'],
])('%j as a word: %s', (text, problem) => {
  expect(problemOfWord(text)).toBe(problem);
});

it.each([
  [{ command: ['sh', '-c', 'a\0b'] }, '0.command.2: a NUL character in it'],
  [{ command: [half] }, '0.command.0: half a character in it'],
  [{ tombstone: { path: '/a\0' } }, '0.tombstone.path: a NUL character in it'],
  [{ tombstone: { path: '/a', content: half } }, '0.tombstone.content: half a character in it'],
])('a step of an annotation that cannot be sent as written is bad: %j', (step, problem) => {
  expect(readSteps(JSON.stringify([step]))).toEqual({
    kind: 'Bad',
    problem: `not a list of steps: ${problem}`,
  });
});
