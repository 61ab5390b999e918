import { describe, expect, it } from 'vitest';
import { command } from '../../../src/methods/command.ts';
import type { Cluster, ExecResult } from '../../../src/ports.ts';
import type { AttemptResult, CommandStep, PodRef } from '../../../src/vocabulary.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { step } from '../../builders/plan.ts';

const pod: PodRef = { namespace: 'demo', name: 'work', uid: 'uid-1' };
const { signal } = new AbortController();

/** What is made of an exec that ended like this. */
function attempt(result: ExecResult, sent: CommandStep = step()): Promise<AttemptResult> {
  return command.send(clusterWith({ exec: async () => result }), pod, 'sidecar', sent, signal);
}

it('the step’s command is executed in the container, word for word', async () => {
  const calls: Parameters<Cluster['exec']>[] = [];
  const cluster = clusterWith({
    async exec(...call) {
      calls.push(call);
      return { kind: 'Exited', exitCode: 0, output: '' };
    },
  });
  await command.send(cluster, pod, 'sidecar', step(15, { command: ['a', 'b c', ''] }), signal);
  expect(calls).toEqual([[pod, 'sidecar', ['a', 'b c', ''], signal]]);
});

describe('an exit code is only a hint', () => {
  it('0 is accepted', async () => {
    expect(await attempt({ kind: 'Exited', exitCode: 0, output: 'whatever' })).toEqual({ kind: 'Accepted' });
  });

  it.each([1, 2, 137, 143, 255])(
    '%i may mean that it worked: PID 1 takes the command down with it',
    async (exitCode) => {
      expect(await attempt({ kind: 'Exited', exitCode, output: '' })).toEqual({
        kind: 'Unconfirmed',
        message: `exit code ${exitCode}`,
      });
    },
  );

  it('and comes with what was printed', async () => {
    const result = await attempt({ kind: 'Exited', exitCode: 1, output: 'kill: no such process' });
    expect(result).toEqual({ kind: 'Unconfirmed', message: 'exit code 1: kill: no such process' });
  });
});

describe('a program that the image does not have', () => {
  it('is told by containerd with an error', async () => {
    const message = 'exec: "/bin/sh": stat /bin/sh: no such file or directory';
    expect(await attempt({ kind: 'NoSuchProgram', message })).toEqual({
      kind: 'NoSuchProgram',
      program: '/bin/sh',
      message,
    });
  });

  it.each([
    [126, 'OCI runtime exec failed: exec failed: exec: "/bin/sh": permission denied'],
    [127, 'exec: "/bin/sh": stat /bin/sh: no such file or directory'],
  ])('is told by other runtimes with exit code %i and their words', async (exitCode, output) => {
    expect(await attempt({ kind: 'Exited', exitCode, output })).toMatchObject({
      kind: 'NoSuchProgram',
      program: '/bin/sh',
    });
  });

  it('is not one that its shell did not find: the shell is there', async () => {
    const output = '/bin/sh: pidof: not found';
    expect(await attempt({ kind: 'Exited', exitCode: 127, output })).toMatchObject({ kind: 'Unconfirmed' });
  });
});

it('what was not there to exec into was not reached', async () => {
  expect(await attempt({ kind: 'NotThere', message: 'container not found' })).toEqual({
    kind: 'Undelivered',
    message: 'container not found',
  });
});

it.each(['Refused', 'Undelivered', 'Unconfirmed'] as const)('%s stays what it is', async (kind) => {
  expect(await attempt({ kind, message: 'why' })).toEqual({ kind, message: 'why' });
});
