import { describe, expect, it } from 'vitest';
import { parseStatus, type Status } from '../../../../src/kube/client/answer.ts';
import { concludeStatus, type Refusal, refuseHandshake } from '../../../../src/kube/exec/results.ts';
import type { ExecResult } from '../../../../src/model/ports.ts';
import { parseJson } from '../../../../src/util/json.ts';
import { refusedUpgrade, statusFrame } from '../../../builders/recordings.ts';

it.each<readonly [recording: string, kind: Refusal['kind'], says: string]>([
  ['exec-forbidden-no-verb', 'Refused', 'cannot get resource "pods/exec"'],
  ['exec-with-create-verb-only', 'Refused', 'cannot get resource "pods/exec"'],
  // The server's own message gives no reason, so the verbs must be added.
  ['exec-with-get-verb-only', 'Refused', 'verbs get and create'],
  ['exec-unauthorized', 'Undelivered', 'does not accept the credentials'],
  ['exec-pod-not-found', 'NotThere', 'pods "nosuch" not found'],
  ['exec-node-gone', 'NotThere', 'pods "fake-0" not found'],
  ['exec-unscheduled', 'NotThere', 'does not have a host assigned'],
  ['exec-into-ended-container', 'NotThere', 'container not found ("main")'],
  ['exec-into-unknown-container', 'NotThere', 'container nosuch is not valid for pod'],
])('an upgrade refused by a real cluster %s: %s', (recording, kind, says) => {
  const { status, body } = refusedUpgrade(recording);
  const expected = { kind, message: expect.stringContaining(says) };
  expect(refuseHandshake(status, body, 'pods/exec')).toEqual(expected);
});

// biome-ignore format: one row a line
it.each([
  // The server refused the subprotocol, or a proxy the request: a message about verbs would be misleading.
  [refusedUpgrade('exec-no-protocol'), 'pods/exec', /^HTTP 403$/],
  [{ status: 403, body: '<html>no</html>' }, 'pods/exec', /^the server answered HTTP 403 \(HTML\): /],
  [refusedUpgrade('exec-with-get-verb-only'), 'pods/portforward', /^pods\/portforward needs the verbs get and/],
])(
  'a forbidden upgrade names the verbs of its resource only if they are missing: %j',
  (refused, resource, says) => {
    const { kind, message } = refuseHandshake(refused.status, refused.body, resource);
    expect(kind).toBe('Refused');
    expect(message).toMatch(says);
  },
);

describe('an upgrade that admission denied is refused, whatever its code, and no verb is missing:', () => {
  const policy = `ValidatingAdmissionPolicy 'no-exec' with binding 'prod' denied request: no exec here`;
  // A webhook that gives no code denies with 400, a policy with 422 (apiserver, plugin/webhook/errors and plugin/policy/validating).
  // biome-ignore format: one row a line
  it.each([
    [400, 'admission webhook "validate.kyverno.svc-fail" denied the request: no exec here'],
    [403, 'admission webhook "validation.gatekeeper.sh" denied the request: no exec here'],
    [400, 'admission webhook "exec.example" denied the request without explanation'],
    [422, `pods "work" is forbidden: ${policy}`],
    [403, `pods "work" is forbidden: ${policy}`],
    [403, 'pods "work" is forbidden: exec operation is not allowed because the security context exceeds yours'],
  ])('%i %s', (code, message) => {
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', message, code });
    const expected = { kind: 'Refused', message: expect.any(String) };
    expect(refuseHandshake(code, body, 'pods/exec')).toEqual(expected);
    expect(refuseHandshake(code, body, 'pods/exec').message).not.toContain('verbs');
  });
});

it.each([
  [500, 'Internal Server Error'],
  [502, '{"kind":"Status","status":"Failure","message":"no endpoints available"}'],
  [302, ''],
  [0, ''],
])('an upgrade that fails with a server error delivered nothing: %i %j', (httpStatus, body) => {
  expect(refuseHandshake(httpStatus, body, 'pods/exec').kind).toBe('Undelivered');
});

describe('an exec may have arrived at the kubelet:', () => {
  const status = '{"kind":"Status","status":"Failure","message":"timeout"}';
  it.each([
    [502, '<html>Bad Gateway</html>'],
    [503, 'upstream connect error or disconnect/reset before headers'],
    [503, ''],
    [504, '<html>Gateway Timeout</html>'],
    [504, status],
    [520, ''],
    [500, 'unexpected EOF'],
    [500, 'read tcp 10.0.0.2:40000->10.0.0.1:10250: read: connection reset by peer'],
  ])('%i %s', (httpStatus, body) => {
    expect(refuseHandshake(httpStatus, body, 'pods/exec').kind).toBe('Unconfirmed');
    expect(refuseHandshake(httpStatus, body, 'pods/portforward').kind).toMatch(/^(Undelivered|Busy)$/);
  });

  it.each([
    [504, 'error dialing backend: dial tcp 10.0.0.1:10250: i/o timeout'],
    [500, 'error dialing backend: EOF'],
    [502, 'error dialing backend: dial tcp 10.0.0.1:10250: connect: connection reset by peer'],
  ])('but not without a connection: %i %s', (httpStatus, body) => {
    const expected = { kind: 'Undelivered', silentNode: true };
    expect(refuseHandshake(httpStatus, body, 'pods/exec')).toMatchObject(expected);
  });

  it('nor if a webhook did not answer, which is asked first', () => {
    const message =
      'Internal error occurred: failed calling webhook "exec.example": failed to call webhook: EOF';
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', message, code: 500 });
    expect(refuseHandshake(500, body, 'pods/exec').kind).toBe('Undelivered');
  });
});

it.each([
  [429, '7', 7_000],
  [503, '1', 1_000],
  [429, undefined, undefined],
])(
  'a server that is busy may say when to come back: %i, Retry-After: %s',
  (httpStatus, header, retryAfter) => {
    const body = '{"kind":"Status","status":"Failure","message":"apiserver is shutting down"}';
    const expected = { kind: 'Busy', retryAfterMs: retryAfter };
    expect(refuseHandshake(httpStatus, body, 'pods/exec', header)).toMatchObject(expected);
  },
);

describe('a server that does not upgrade connections has delivered nothing, and never will:', () => {
  const status = (message: string) =>
    JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'BadRequest', message, code: 400 });

  it.each([
    [405, ''],
    [426, '<html>Upgrade Required</html>'],
    [501, 'not implemented'],
    [400, ''],
    [400, '<html><title>400 Bad Request</title></html>'],
    [400, status('Upgrade request required')],
    [400, 'unable to upgrade: missing upgrade headers in request: http.Header{}'],
  ])('%i %s', (httpStatus, body) => {
    expect(refuseHandshake(httpStatus, body, 'pods/exec')).toEqual({
      kind: 'Undelivered',
      message: expect.stringMatching(/^pods\/exec needs an upgraded connection: ./),
      noUpgrade: true,
    });
  });

  it.each([
    [400, status('container upgrades is not valid for pod work')],
    [400, 'unable to upgrade connection: container not found ("upgrades")'],
  ])('but not a server that speaks of a container: %i %s', (httpStatus, body) => {
    expect(refuseHandshake(httpStatus, body, 'pods/exec').kind).toBe('NotThere');
  });
});

function conclude(frame: unknown, output = ''): ExecResult {
  const status = parseStatus(typeof frame === 'string' ? parseJson(frame) : frame);
  if (!status) expect.fail('not a Status');
  return concludeStatus(status, output);
}

// biome-ignore format: one row a line
it.each([
  ['term-clean-exit', { kind: 'Exited', exitCode: 0, output: 'ok' }],
  ['exec-nonzero-exit', { kind: 'Exited', exitCode: 3, output: 'ok' }],
  ['exec-v4', { kind: 'Exited', exitCode: 3, output: 'ok' }],
  ['distroless-no-shell', { kind: 'NoSuchProgram', message: expect.stringContaining('stat /bin/sh: no such') }],
  ['exec-kubelet-refuses', { kind: 'Undelivered' }],
])('a recorded status frame: %s', (recording, result) => {
  expect(conclude(statusFrame(recording), 'ok')).toMatchObject(result);
});

describe('a status frame', () => {
  const failure = (more: Partial<Status> & { details?: unknown }) => ({ status: 'Failure', ...more });
  const exitCode = (message: unknown) =>
    failure({ reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message }] } });
  const kindOf = (message: string) => conclude(failure({ reason: 'InternalError', message })).kind;

  it.each(['0', '1', '126', '137', '255'])('with exit code %s', (message) => {
    expect(conclude(exitCode(message))).toMatchObject({ kind: 'Exited', exitCode: Number(message) });
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
    // crun, then runc: without a slash, for a program that may not be executed, and with a path.
    'executable file `/bin/sh` not found in $PATH: No such file or directory: OCI runtime exec failed',
    'OCI runtime exec failed: exec: "pilot-agent": executable file not found in $PATH',
    'runc exec failed: unable to start container process: exec: "/bin/sh": permission denied: unknown',
    'OCI runtime exec failed: exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown',
    // Kata Containers (kata-containers#8026), then gVisor.
    'failed to start exec "e9a1": rpc status: code: INTERNAL message: "the file /bin/sh was not found": unknown',
    'executing command "/bin/sh -c kill" in sandbox: failed to load /bin/sh: no such file or directory: unknown',
  ])('of a missing program: %s', (message) => {
    expect(kindOf(message)).toBe('NoSuchProgram');
  });

  it.each([
    'unable to start container process: chdir to cwd ("/app") set in config.json failed: no such file or directory',
    'failed to create exec "sh": open /run/containerd/io/exec.pid: no such file or directory',
    'open /proc/self/fd/7: permission denied',
    'connect /run/containerd/s/1: no such file or directory',
    // The kubelet was reached, and the connection broke.
    'error sending request: Post "https://10.0.0.1:10250/exec/demo/work/sidecar": EOF',
  ])('about anything else proves nothing: %s', (message) => {
    expect(kindOf(message)).toBe('Unconfirmed');
  });

  it('of a container that has ended in the meantime gives NotThere', () => {
    expect(kindOf('Internal error occurred: container not found ("sidecar")')).toBe('NotThere');
  });

  it('with any other failure proves nothing, and has a one-line message', () => {
    const message = 'task 6754cb not found:\n\u001b[31mnot found';
    const expected = { kind: 'Unconfirmed', message: 'task 6754cb not found: [31mnot found' };
    expect(conclude(failure({ reason: 'InternalError', message }))).toEqual(expected);
  });

  it('without a message gets a default one', () => {
    const expected = { kind: 'Unconfirmed', message: 'the server gave no reason' };
    expect(conclude(failure({ reason: 'InternalError' }))).toEqual(expected);
  });
});
