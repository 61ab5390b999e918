import { describe, expect, it } from 'vitest';
import { command, timeToShow } from '../../../src/methods/command.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { ExecResult } from '../../../src/model/ports.ts';
import { step } from '../../builders/plan.ts';
import { abort, common, execRecipient, pod, subject, withoutShell } from './recipient.ts';

function spec(...words: string[]) {
  return { method: 'Command', command: words } as const;
}

function attempt(result: ExecResult): Promise<AttemptResult> {
  return command.send(step(), execRecipient(result).to);
}

describe('a written command', () => {
  it('is a list of words', () => {
    const written = { command: ['quit', '--now'], exitCode: 0, grace: '15s' };
    expect(command.written.parse(written)).toEqual({
      method: 'Command',
      command: ['quit', '--now'],
      exitCode: 0,
      grace: 15_000,
    });
  });

  it.each([
    [[], false],
    [[''], false],
    [['quit', ''], false],
    [Array(64).fill('x'), true],
    [Array(65).fill('x'), false],
  ])('%#: is it accepted? %s', (words, expected) => {
    expect(command.written.safeParse({ command: words }).success).toBe(expected);
  });

  it('reads as it is typed', () => {
    expect(command.describeSpec(spec('kill', '-%d', '1'))).toBe('kill -%d 1');
    expect(command.describe(step(9))).toBe('run /bin/sh -c kill -9 1');
  });
});

describe('a command is unfit', () => {
  it.each([[['sh', '-c', 'kill -%d 1']], [['pkill', '-f', 'pilot-agent']]])(
    'if it sends signals and the pod sees the node’s processes: %j',
    (words) => {
      expect(command.whyUnfit(spec(...words), subject({ processNamespace: 'Node' }))).toEqual({
        reason: 'SeesTheNode',
        detail: 'hostPID',
      });
    },
  );

  it('if it signals PID 1 and that is the pause container', () => {
    const shared = subject({ processNamespace: 'Pod' });
    expect(command.whyUnfit(spec('kill', '-%d', '1'), shared)).toEqual({
      reason: 'ShownOtherwise',
      detail: 'PID 1 is the pause container; ending it ends the pod',
    });
    expect(command.whyUnfit(spec('kill', '-%d', '7'), shared)).toBeUndefined();
  });

  it('but not if it sends no signals', () => {
    const node = subject({ processNamespace: 'Node' });
    expect(command.whyUnfit(spec('pilot-agent', 'request', 'POST', 'quitquitquit'), node)).toBeUndefined();
  });
});

it('an annotation may ask for a command that fits the allowlist', () => {
  const allowlist = { patterns: [['quit', '<word>']], known: [] };
  expect(command.isAdmitted(spec('quit', 'now'), allowlist)).toBe(true);
  expect(command.isAdmitted(spec('quit'), allowlist)).toBe(false);
  // That a profile runs it is not enough: what is safe in one container may not be in another.
  expect(command.isAdmitted(spec('quit'), { patterns: [], known: [spec('quit')] })).toBe(false);
});

describe('the steps of a command', () => {
  it('are one, if it does not depend on the signal', () => {
    expect(command.toSteps(spec('quit', '%s'), { ...common, exitCode: 0 }, subject())).toEqual([
      { ...common, method: 'Command', command: ['quit', '%s'], exitCode: 0 },
    ]);
  });

  it('are TERM and then KILL, if it has %d; the exit code is promised for TERM alone', () => {
    expect(command.toSteps(spec('kill', '-%d', '7'), { ...common, exitCode: 0 }, subject())).toEqual([
      { ...common, method: 'Command', command: ['kill', '-15', '7'], exitCode: 0 },
      { ...common, method: 'Command', command: ['kill', '-9', '7'], exitCode: undefined, grace: 5_000 },
    ]);
  });

  it.each([
    [0, 2_000],
    [1_000, 2_000],
    [3_000, 3_000],
    [30_000, 5_000],
    [600_000, 5_000],
  ])('give KILL, for a grace of %i ms, %i ms to show its effect', (grace, expected) => {
    expect(timeToShow(grace)).toBe(expected);
    expect(command.toSteps(spec('kill', '-%d', '1'), { ...common, grace }, subject())[1]?.grace).toBe(
      expected,
    );
  });
});

it('the command is executed in the container, word for word', async () => {
  const { to, calls } = execRecipient({ kind: 'Exited', exitCode: 0, output: '' });
  await command.send(step(15, { command: ['a', 'b c', ''] }), to);
  expect(calls).toEqual([[pod, 'sidecar', ['a', 'b c', ''], abort]]);
});

describe('an exit code is only a hint', () => {
  it('0 is accepted', async () => {
    expect(await attempt({ kind: 'Exited', exitCode: 0, output: 'whatever' })).toEqual({ kind: 'Accepted' });
  });

  it.each([1, 2, 143, 255])('%i is a failure', async (exitCode) => {
    expect(await attempt({ kind: 'Exited', exitCode, output: '' })).toEqual({
      kind: 'Failed',
      message: `exit code ${exitCode}`,
    });
  });

  it('137 may mean that it worked: PID 1 takes the command down with it', async () => {
    const message = 'exit code 137';
    const result = await attempt({ kind: 'Exited', exitCode: 137, output: '' });
    expect(result).toEqual({ kind: 'Unconfirmed', message });
  });

  it('comes with the output', async () => {
    const result = await attempt({ kind: 'Exited', exitCode: 1, output: 'kill: no such process' });
    expect(result).toEqual({ kind: 'Failed', message: 'exit code 1: kill: no such process' });
  });
});

describe('a program that the image does not have', () => {
  it.each(withoutShell)('is reported by %s', async (_runtime, result, message) => {
    expect(await attempt(result)).toEqual({ kind: 'NoSuchProgram', program: '/bin/sh', message });
  });

  it('is not one that the shell did not find: the shell is there', async () => {
    const output = '/bin/sh: pidof: not found';
    expect(await attempt({ kind: 'Exited', exitCode: 127, output })).toEqual({
      kind: 'Failed',
      message: `exit code 127: ${output}`,
    });
  });
});
