import { describe, expect, it } from 'vitest';
import { parseStatus, type Status } from '../../../../src/kube/client/answer.ts';
import { concludeStatus } from '../../../../src/kube/exec/results.ts';
import { parseJson } from '../../../../src/kube/json.ts';
import type { ExecResult } from '../../../../src/model/ports.ts';
import { statusFrame } from '../../../builders/recordings.ts';

function conclude(frame: unknown, output = ''): ExecResult {
  const status = parseStatus(typeof frame === 'string' ? parseJson(frame) : frame);
  if (!status) expect.fail('not a Status');
  return concludeStatus(status, output);
}

describe('a recorded status frame', () => {
  it('of a success gives exit code 0 and the output', () => {
    expect(conclude(statusFrame('term-clean-exit'), 'ok')).toEqual({
      kind: 'Exited',
      exitCode: 0,
      output: 'ok',
    });
  });

  it.each(['exec-nonzero-exit', 'exec-v4'])('of %s gives the exit code', (recording) => {
    expect(conclude(statusFrame(recording))).toEqual({ kind: 'Exited', exitCode: 3, output: '' });
  });

  it('of an image without a shell gives NoSuchProgram', () => {
    expect(conclude(statusFrame('distroless-no-shell'))).toEqual({
      kind: 'NoSuchProgram',
      message: expect.stringContaining('stat /bin/sh: no such file or directory'),
    });
  });

  it('of an unreachable kubelet gives Undelivered', () => {
    expect(conclude(statusFrame('exec-kubelet-refuses')).kind).toBe('Undelivered');
  });

  it('of a kubelet that was reached, and whose connection broke, proves nothing', () => {
    const message = 'error sending request: Post "https://10.0.0.1:10250/exec/demo/work/sidecar": EOF';
    const broke = { status: 'Failure', reason: 'InternalError', message };
    expect(conclude(broke).kind).toBe('Unconfirmed');
  });
});

describe('a status frame', () => {
  const failure = (more: Partial<Status> & { details?: unknown }) => ({ status: 'Failure', ...more });
  const exitCode = (message: unknown) =>
    failure({ reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message }] } });

  it.each([
    ['0', 0],
    ['1', 1],
    ['126', 126],
    ['137', 137],
    ['255', 255],
  ])('with exit code %s', (message, expected) => {
    expect(conclude(exitCode(message))).toMatchObject({ kind: 'Exited', exitCode: expected });
  });

  it.each([
    ...['seven', '1.5', 'NaN', '', ' 3', '3\n', '-1', '+3', '1e2', '0x1', '256', '999', '0003', '٣'],
    ...[undefined, 3, null],
  ])('with exit code %j proves nothing', (message) => {
    expect(conclude(exitCode(message)).kind).toBe('Unconfirmed');
  });

  it('without causes proves nothing', () => {
    expect(conclude(failure({ reason: 'NonZeroExitCode' })).kind).toBe('Unconfirmed');
  });

  it.each([
    [
      'crun',
      'executable file `/bin/sh` not found in $PATH: No such file or directory: OCI runtime exec failed',
    ],
    [
      'runc without a slash',
      'OCI runtime exec failed: exec: "pilot-agent": executable file not found in $PATH',
    ],
    [
      'runc for a program that may not be executed',
      'runc exec failed: unable to start container process: exec: "/bin/sh": permission denied: unknown',
    ],
    [
      'runc for a program with a path',
      'OCI runtime exec failed: exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown',
    ],
  ])('with the message of %s gives NoSuchProgram', (_runtime, message) => {
    expect(conclude(failure({ reason: 'InternalError', message })).kind).toBe('NoSuchProgram');
  });

  it.each([
    'unable to start container process: chdir to cwd ("/app") set in config.json failed: no such file or directory',
    'failed to create exec "sh": open /run/containerd/io/exec.pid: no such file or directory',
    'open /proc/self/fd/7: permission denied',
    'connect /run/containerd/s/1: no such file or directory',
  ])('about a missing file other than the program proves nothing: %s', (message) => {
    expect(conclude(failure({ reason: 'InternalError', message })).kind).toBe('Unconfirmed');
  });

  it('of a container that has ended in the meantime gives NotThere', () => {
    const message = 'Internal error occurred: container not found ("sidecar")';
    expect(conclude(failure({ reason: 'InternalError', message })).kind).toBe('NotThere');
  });

  it('with any other failure proves nothing, and has a one-line message', () => {
    const message = 'task 6754cb not found:\n\u001b[31mnot found';
    expect(conclude(failure({ reason: 'InternalError', message }))).toEqual({
      kind: 'Unconfirmed',
      message: 'task 6754cb not found: [31mnot found',
    });
  });

  it('without a message gets a default one', () => {
    expect(conclude(failure({ reason: 'InternalError' }))).toEqual({
      kind: 'Unconfirmed',
      message: 'the server gave no reason',
    });
  });
});
