import { describe, expect, it } from 'vitest';
import { concludeStatus, refuseHandshake } from '../../../src/kube/exec-result.ts';
import { parseJson, parseStatus, type Status } from '../../../src/kube/problem.ts';
import type { ExecResult } from '../../../src/ports.ts';
import { refusedUpgrade, statusFrame } from '../../builders/recordings.ts';

describe('an upgrade that a real cluster refused', () => {
  it.each<readonly [recording: string, kind: ExecResult['kind'], says: string]>([
    ['exec-forbidden-no-verb', 'Refused', 'cannot get resource "pods/exec"'],
    ['exec-with-create-verb-only', 'Refused', 'cannot get resource "pods/exec"'],
    // The server's own message ends in nothing, so the verbs must be named.
    ['exec-with-get-verb-only', 'Refused', 'verbs get and create'],
    ['exec-unauthorized', 'Refused', 'does not accept the credentials'],
    ['exec-pod-not-found', 'NotThere', 'pods "nosuch" not found'],
    ['exec-node-gone', 'NotThere', 'pods "fake-0" not found'],
    ['exec-unscheduled', 'NotThere', 'does not have a host assigned'],
    ['exec-into-ended-container', 'NotThere', 'container not found ("main")'],
    ['exec-into-unknown-container', 'NotThere', 'container nosuch is not valid for pod'],
  ])('%s: %s', (recording, kind, says) => {
    const { status, body } = refusedUpgrade(recording);
    expect(refuseHandshake(status, body, 'pods/exec')).toEqual({
      kind,
      message: expect.stringContaining(says),
    });
  });

  it('exec-no-protocol: an empty body still gives a message', () => {
    const { status, body } = refusedUpgrade('exec-no-protocol');
    // It was the subprotocol that was refused: to name the verbs would lead astray.
    expect(refuseHandshake(status, body, 'pods/exec')).toEqual({ kind: 'Refused', message: 'HTTP 403' });
  });
});

it('an upgrade that is forbidden names what was asked for', () => {
  const { status, body } = refusedUpgrade('exec-with-get-verb-only');
  const { kind, message } = { message: '', ...refuseHandshake(status, body, 'pods/portforward') };
  expect(kind).toBe('Refused');
  expect(message).toMatch(/^pods\/portforward needs the verbs get and create: /);
});

describe('an upgrade refused for the server’s own reasons did not deliver anything', () => {
  it.each([
    [500, 'Internal Server Error'],
    [502, '<html>Bad Gateway</html>'],
    [503, ''],
    [501, 'not implemented'],
    [429, '{"kind":"Status","status":"Failure","message":"too many requests"}'],
    [302, ''],
    [0, ''],
  ])('%i %j', (httpStatus, body) => {
    expect(refuseHandshake(httpStatus, body, 'pods/exec').kind).toBe('Undelivered');
  });
});

function conclude(frame: unknown, output = ''): ExecResult {
  const status = parseStatus(typeof frame === 'string' ? parseJson(frame) : frame);
  if (!status) expect.fail('not a Status');
  return concludeStatus(status, output);
}

describe('a last frame of a real cluster', () => {
  it('that succeeded is exit code 0, with what was printed', () => {
    expect(conclude(statusFrame('term-clean-exit'), 'ok')).toEqual({
      kind: 'Exited',
      exitCode: 0,
      output: 'ok',
    });
  });

  it.each(['exec-nonzero-exit', 'exec-v4'])('of %s gives the exit code', (recording) => {
    expect(conclude(statusFrame(recording))).toEqual({ kind: 'Exited', exitCode: 3, output: '' });
  });

  it('of an image without a shell says that there is no such program', () => {
    expect(conclude(statusFrame('distroless-no-shell'))).toEqual({
      kind: 'NoSuchProgram',
      message: expect.stringContaining('stat /bin/sh: no such file or directory'),
    });
  });

  it('of a kubelet that refuses the connection says that nothing arrived', () => {
    expect(conclude(statusFrame('exec-kubelet-refuses')).kind).toBe('Undelivered');
  });
});

describe('a last frame', () => {
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
  ])('in the words of %s says that there is no such program', (_runtime, message) => {
    expect(conclude(failure({ reason: 'InternalError', message })).kind).toBe('NoSuchProgram');
  });

  it.each([
    'unable to start container process: chdir to cwd ("/app") set in config.json failed: no such file or directory',
    'failed to create exec "sh": open /run/containerd/io/exec.pid: no such file or directory',
    'open /proc/self/fd/7: permission denied',
    'connect /run/containerd/s/1: no such file or directory',
  ])('that lacks another file than the program proves nothing: %s', (message) => {
    expect(conclude(failure({ reason: 'InternalError', message })).kind).toBe('Unconfirmed');
  });

  it('of a container that has ended meanwhile says that it was not there', () => {
    const message = 'Internal error occurred: container not found ("sidecar")';
    expect(conclude(failure({ reason: 'InternalError', message })).kind).toBe('NotThere');
  });

  it('with any other failure proves nothing, and tells it in one line', () => {
    const message = 'task 6754cb not found:\n\u001b[31mnot found';
    expect(conclude(failure({ reason: 'InternalError', message }))).toEqual({
      kind: 'Unconfirmed',
      message: 'task 6754cb not found: [31mnot found',
    });
  });

  it('without a message still has one for people', () => {
    expect(conclude(failure({ reason: 'InternalError' }))).toEqual({
      kind: 'Unconfirmed',
      message: 'the server gave no reason',
    });
  });
});
