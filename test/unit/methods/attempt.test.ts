import { describe, expect, it } from 'vitest';
import { failedExit, mayHaveWorked, toAttempt, toWriteAttempt } from '../../../src/methods/attempt.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { WriteResult } from '../../../src/model/ports.ts';
import { attempt, attemptResults } from '../../builders/plan.ts';

describe('an exec', () => {
  const ofExit = (exitCode: number, output: string): AttemptResult => ({
    kind: 'Unsupported',
    message: `${exitCode} ${output}`,
  });

  it('that ran is what the method makes of its exit code and output', () => {
    expect(toAttempt({ kind: 'Exited', exitCode: 3, output: 'no' }, 'sh', ofExit)).toEqual({
      kind: 'Unsupported',
      message: '3 no',
    });
  });

  it('of a program that does not exist names the program', () => {
    expect(toAttempt({ kind: 'NoSuchProgram', message: 'why' }, '/bin/sh', ofExit)).toEqual({
      kind: 'NoSuchProgram',
      program: '/bin/sh',
      message: 'why',
    });
  });

  it.each(['NotThere', 'Refused', 'Undelivered', 'Unconfirmed'] as const)('that is %s stays so', (kind) => {
    expect(toAttempt({ kind, message: 'why' }, 'sh', ofExit)).toEqual({ kind, message: 'why' });
  });
});

it('a server that is busy says when to come back', () => {
  const busy = { kind: 'Busy', message: 'later', retryAfter: 7_000 } as const;
  const attempt = { kind: 'Busy', message: 'later', retryAfterMs: 7_000 };
  expect(toAttempt(busy, 'sh', () => ({ kind: 'Accepted' }))).toEqual(attempt);
});

describe('an exit code that is not a success', () => {
  it.each<readonly [exitCode: number, output: string, expected: AttemptResult]>([
    [1, '', { kind: 'Failed', message: 'exit code 1' }],
    [1, 'a\nb', { kind: 'Failed', message: 'exit code 1: a b' }],
    [1, 'no such process', { kind: 'Failed', message: 'exit code 1: no such process' }],
    [137, '', { kind: 'Unconfirmed', message: 'exit code 137' }],
    // Only these two codes are used for a program that cannot be executed.
    [125, 'exec: "quit"', { kind: 'Failed', message: 'exit code 125: exec: "quit"' }],
    [128, 'exec: "quit"', { kind: 'Failed', message: 'exit code 128: exec: "quit"' }],
    // The shell that says this is there.
    [127, 'sh: quit: not found', { kind: 'Failed', message: 'exit code 127: sh: quit: not found' }],
    [127, 'executing quit', { kind: 'Failed', message: 'exit code 127: executing quit' }],
    [127, 'exec: "other"', { kind: 'Failed', message: 'exit code 127: exec: "other"' }],
  ])(
    '%i with the output %j is a failure, unless the command was killed, maybe with its container',
    (exitCode, output, expected) => {
      expect(failedExit(exitCode, output, 'quit')).toEqual(expected);
    },
  );

  it.each([126, 127])('%i means that there is no such program, if exec says so', (exitCode) => {
    const output = 'OCI runtime exec failed: exec: "quit": not found';
    expect(failedExit(exitCode, output, 'quit')).toEqual({
      kind: 'NoSuchProgram',
      program: 'quit',
      message: output,
    });
  });
});

it.each<readonly [WriteResult, AttemptResult]>([
  [{ kind: 'Written' }, { kind: 'Accepted' }],
  [
    { kind: 'Conflict', message: 'another pod' },
    { kind: 'Undelivered', message: 'another pod' },
  ],
  [
    { kind: 'Refused', message: 'is forbidden' },
    { kind: 'Refused', message: 'is forbidden' },
  ],
  [
    { kind: 'Rejected', message: 'is invalid' },
    { kind: 'Unsupported', message: 'is invalid' },
  ],
  [
    { kind: 'Busy', message: 'a budget', retryAfter: 10_000 },
    { kind: 'Busy', message: 'a budget', retryAfterMs: 10_000 },
  ],
  [
    { kind: 'Busy', message: 'a budget', retryAfter: undefined },
    { kind: 'Busy', message: 'a budget' },
  ],
  [
    { kind: 'Undelivered', message: 'not sent' },
    { kind: 'Undelivered', message: 'not sent' },
  ],
  [
    { kind: 'Unconfirmed', message: 'no answer' },
    { kind: 'Unconfirmed', message: 'no answer' },
  ],
])('the write %j is the attempt %j', (result, expected) => {
  expect(toWriteAttempt(result)).toStrictEqual(expected);
});

it('only what may have arrived may have told the container to end', () => {
  const mayHave = Object.values(attemptResults).filter((result) => mayHaveWorked(attempt(result)));
  expect(new Set(mayHave.map(({ kind }) => kind))).toEqual(new Set(['Accepted', 'Failed', 'Unconfirmed']));
});
