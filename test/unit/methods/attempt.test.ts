import { describe, expect, it } from 'vitest';
import { failedExit, mayHaveWorked, toAttempt, toWriteAttempt } from '../../../src/methods/attempt.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { ExecResult, WriteResult } from '../../../src/model/ports.ts';
import { attempt, attemptResults } from '../../builders/plan.ts';

describe('an exec', () => {
  const ofExit = (exitCode: number, output: string): AttemptResult => ({
    kind: 'Unsupported',
    message: `${exitCode} ${output}`,
  });

  it('that ran is what the method makes of its exit code and output', () => {
    const expected = { kind: 'Unsupported', message: '3 no' };
    expect(toAttempt({ kind: 'Exited', exitCode: 3, output: 'no' }, 'sh', ofExit)).toEqual(expected);
  });

  // biome-ignore format: one row a line
  it.each<readonly [ExecResult, AttemptResult]>([
    [{ kind: 'NoSuchProgram', message: 'why' }, { kind: 'NoSuchProgram', program: 'sh', message: 'why' }],
    [{ kind: 'Busy', message: 'later', retryAfterMs: 7_000 }, { kind: 'Busy', message: 'later', retryAfterMs: 7_000 }],
    [{ kind: 'Unconfirmed', message: 'why', unopened: true }, { kind: 'Unconfirmed', message: 'why', unopened: true }],
    // What gates know of nodes is not in the report.
    [{ kind: 'Unconfirmed', message: 'why', silentNode: true }, { kind: 'Unconfirmed', message: 'why' }],
    [{ kind: 'Undelivered', message: 'why', silentNode: true }, { kind: 'Undelivered', message: 'why' }],
    ...(['NotThere', 'Refused', 'Undelivered', 'Unconfirmed'] as const).map((kind) => [{ kind, message: 'why' }, { kind, message: 'why' }] as const),
  ])('that is %j is the attempt %j', (result, expected) => {
    expect(toAttempt(result, 'sh', ofExit)).toStrictEqual(expected);
  });
});

describe('an exit code that is not a success', () => {
  it.each<readonly [exitCode: number, output: string, expected: AttemptResult]>([
    [1, '', { kind: 'Failed', message: 'exit code 1' }],
    [1, 'a\nb', { kind: 'Failed', message: 'exit code 1: a b' }],
    [1, 'no such process', { kind: 'Failed', message: 'exit code 1: no such process' }],
    [137, '', { kind: 'Unconfirmed', message: 'exit code 137' }],
    // Other codes are not used for a program that cannot be executed.
    [125, 'exec: "quit"', { kind: 'Failed', message: 'exit code 125: exec: "quit"' }],
    [128, 'exec: "quit"', { kind: 'Failed', message: 'exit code 128: exec: "quit"' }],
    // The shell that says this is there.
    [127, 'sh: quit: not found', { kind: 'Failed', message: 'exit code 127: sh: quit: not found' }],
    [127, 'executing quit', { kind: 'Failed', message: 'exit code 127: executing quit' }],
    [127, 'exec: "other"', { kind: 'Failed', message: 'exit code 127: exec: "other"' }],
  ])('%i with the output %j is a failure, unless the command was killed', (exitCode, output, expected) => {
    expect(failedExit(exitCode, output, 'quit')).toEqual(expected);
  });

  it.each([126, 127])('%i means that there is no such program, if exec says so', (exitCode) => {
    const output = 'OCI runtime exec failed: exec: "quit": not found';
    const expected = { kind: 'NoSuchProgram', program: 'quit', message: output };
    expect(failedExit(exitCode, output, 'quit')).toEqual(expected);
  });

  it.each([
    'level=error msg="exec failed: unable to start container process: exec: \\"/bin/sh\\": stat /bin/sh: no such file or directory"',
    'executable file `/bin/sh` not found: No such file or directory',
  ])('255 means so as well, where CRI-O passes on what its runtime says: %s', (output) => {
    expect(failedExit(255, output, '/bin/sh')).toMatchObject({ kind: 'NoSuchProgram', program: '/bin/sh' });
  });
});

const message = 'why';
// biome-ignore format: one row a line
it.each<readonly [WriteResult, AttemptResult]>([
  [{ kind: 'Written' }, { kind: 'Accepted' }],
  [{ kind: 'Conflict', message }, { kind: 'Undelivered', message }],
  [{ kind: 'Rejected', message }, { kind: 'Unsupported', message }],
  [{ kind: 'Busy', message, retryAfterMs: 10_000 }, { kind: 'Busy', message, retryAfterMs: 10_000 }],
  ...(['Refused', 'Undelivered', 'Unconfirmed'] as const).map((kind) => [{ kind, message }, { kind, message }] as const),
])('the write %j is the attempt %j', (result, expected) => {
  expect(toWriteAttempt(result)).toStrictEqual(expected);
});

it('only what may have arrived may have told the container to end', () => {
  const mayHave = Object.values(attemptResults).filter((result) => mayHaveWorked(attempt(result)));
  expect(new Set(mayHave.map(({ kind }) => kind))).toEqual(new Set(['Accepted', 'Failed', 'Unconfirmed']));
});
