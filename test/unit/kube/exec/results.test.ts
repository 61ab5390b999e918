import { describe, expect, it } from 'vitest';
import { parseStatus, type Status } from '../../../../src/kube/client/answer.ts';
import { concludeStatus, refuseHandshake } from '../../../../src/kube/exec/results.ts';
import type { ExecResult, RequestFailure } from '../../../../src/model/ports.ts';
import { parseJson } from '../../../../src/util/json.ts';
import { refusedUpgrade, statusFrame } from '../../../builders/recordings.ts';

it.each<readonly [recording: string, kind: RequestFailure['kind'], says: string]>([
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

const failure = (message: string, more: object = {}) =>
  JSON.stringify({ kind: 'Status', status: 'Failure', message, ...more });
const policy = `ValidatingAdmissionPolicy 'no-exec' with binding 'prod' denied request: no exec here`;
/** Anything but that verbs are missing. */
const noVerbs = /^(?!.*verbs)./;
const context = 'exec operation is not allowed because the security context exceeds yours';

// biome-ignore format: one row a line
it.each<readonly [httpStatus: number, body: string, resource: 'pods/exec' | 'pods/portforward', says: RegExp]>([
  [403, refusedUpgrade('exec-with-get-verb-only').body, 'pods/portforward', /^pods\/portforward needs the verbs get and/],
  // A proxy refused the request: a message about verbs would be misleading.
  [403, '<html>no</html>', 'pods/exec', /^the server answered HTTP 403 \(HTML\): /],
  // A webhook that gives no code denies with 400, a policy with 422 (apiserver, plugin/webhook/errors and plugin/policy/validating).
  [400, failure('admission webhook "validate.kyverno.svc-fail" denied the request: no exec here'), 'pods/exec', noVerbs],
  [403, failure('admission webhook "validation.gatekeeper.sh" denied the request: no exec here'), 'pods/exec', noVerbs],
  [400, failure('admission webhook "exec.example" denied the request without explanation'), 'pods/exec', noVerbs],
  [422, failure(`pods "work" is forbidden: ${policy}`), 'pods/exec', noVerbs],
  [403, failure(`pods "work" is forbidden: ${policy}`), 'pods/exec', noVerbs],
  [403, failure(`pods "work" is forbidden: ${context}`), 'pods/exec', noVerbs],
])('a refused upgrade names the verbs of its resource only if they are missing: %i %s', (status, body, resource, says) => {
  const message = expect.stringMatching(says);
  expect(refuseHandshake(status, body, resource)).toEqual({ kind: 'Refused', message });
});

const undelivered = { kind: 'Undelivered' };
const unconfirmed = { kind: 'Unconfirmed', unopened: true };
const silentNode = { kind: 'Undelivered', silentNode: true };
const busy = { kind: 'Busy' };
const message = expect.stringMatching(/^pods\/exec needs an upgraded connection: ./);
const noUpgrade = { kind: 'Undelivered', message, noUpgrade: true };

// biome-ignore format: one row a line
it.each<[httpStatus: number, body: string, means: object, retryAfter?: string]>([
  // An error of the server: nothing was delivered.
  [500, 'Internal Server Error', undelivered],
  [302, '', undelivered],
  [0, '', undelivered],
  // It may have arrived at the kubelet,
  [502, '<html>Bad Gateway</html>', unconfirmed],
  [503, 'upstream connect error or disconnect/reset before headers', unconfirmed],
  [503, '', unconfirmed],
  [504, '<html>Gateway Timeout</html>', unconfirmed],
  [504, failure('timeout'), unconfirmed],
  [520, '', unconfirmed],
  [500, 'unexpected EOF', unconfirmed],
  [500, 'read tcp 10.0.0.2:40000->10.0.0.1:10250: read: connection reset by peer', unconfirmed],
  // but not without a connection, nor if a webhook did not answer, which is asked first.
  [504, 'error dialing backend: dial tcp 10.0.0.1:10250: i/o timeout', silentNode],
  [500, 'error dialing backend: EOF', silentNode],
  [502, 'error dialing backend: dial tcp 10.0.0.1:10250: connect: connection reset by peer', silentNode],
  [502, failure('no endpoints available'), undelivered],
  [500, failure('Internal error occurred: failed calling webhook "exec.example": failed to call webhook: EOF', { code: 500 }), undelivered],
  // A server that is busy may say when to come back.
  [429, failure('apiserver is shutting down'), { ...busy, retryAfterMs: 7_000 }, '7'],
  [503, failure('apiserver is shutting down'), { ...busy, retryAfterMs: 1_000 }, '1'],
  [429, failure('apiserver is shutting down'), busy],
  // A server that does not upgrade connections has delivered nothing, and never will,
  [405, '', noUpgrade],
  [426, '<html>Upgrade Required</html>', noUpgrade],
  [501, 'not implemented', noUpgrade],
  [400, '', noUpgrade],
  [403, refusedUpgrade('exec-no-protocol').body, noUpgrade],
  [400, '<html><title>400 Bad Request</title></html>', noUpgrade],
  [400, failure('Upgrade request required', { reason: 'BadRequest', code: 400 }), noUpgrade],
  [400, 'unable to upgrade: missing upgrade headers in request: http.Header{}', noUpgrade],
  // unlike one that speaks of a container.
  [400, failure('container upgrades is not valid for pod work'), { kind: 'NotThere' }],
  [400, 'unable to upgrade connection: container not found ("upgrades")', { kind: 'NotThere' }],
])('an upgrade that fails with %i %s', (httpStatus, body, means, retryAfter) => {
  const refused = refuseHandshake(httpStatus, body, 'pods/exec', retryAfter);
  expect(refused).toEqual({ message: expect.any(String), ...means });
  const forwarded = refuseHandshake(httpStatus, body, 'pods/portforward', retryAfter);
  // Nothing has gone through a tunnel that was not opened.
  if (means === unconfirmed) expect(forwarded.kind).toMatch(/^(Undelivered|Busy)$/);
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

const failed = (more: Partial<Status> & { details?: unknown }) => ({ status: 'Failure', ...more });
const exitCode = (message: unknown) =>
  failed({ reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message }] } });
const internal = (message?: string) => failed({ reason: 'InternalError', ...(message && { message }) });

describe('a status frame', () => {
  it.each(['0', '1', '126', '137', '255'])('with exit code %s', (message) => {
    expect(conclude(exitCode(message))).toMatchObject({ kind: 'Exited', exitCode: Number(message) });
  });

  it.each([
    ...['seven', '1.5', 'NaN', '', ' 3', '3\n', '-1', '+3', '1e2', '0x1', '256', '999', '0003', '٣'],
    ...[undefined, 3, null],
  ])('with exit code %j proves nothing', (message) => {
    expect(conclude(exitCode(message)).kind).toBe('Unconfirmed');
  });

  const unconfirmed = (message: string) => ({ kind: 'Unconfirmed', message });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, frame: object, result: object]>([
    ['without causes proves nothing', failed({ reason: 'NonZeroExitCode' }), { kind: 'Unconfirmed' }],
    ['of a container that has ended in the meantime gives NotThere', internal('Internal error occurred: container not found ("sidecar")'), { kind: 'NotThere' }],
    ['with any other failure proves nothing, and has a one-line message', internal('task 6754cb not found:\n\u001b[31mnot found'), unconfirmed('task 6754cb not found: [31mnot found')],
    ['without a message gets a default one', internal(), unconfirmed('the server gave no reason')],
  ])('%s', (_title, frame, result) => {
    expect(conclude(frame)).toEqual({ message: expect.any(String), ...result });
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
    expect(conclude(internal(message)).kind).toBe('NoSuchProgram');
  });

  it.each([
    'unable to start container process: chdir to cwd ("/app") set in config.json failed: no such file or directory',
    'failed to create exec "sh": open /run/containerd/io/exec.pid: no such file or directory',
    'open /proc/self/fd/7: permission denied',
    'connect /run/containerd/s/1: no such file or directory',
    // The kubelet was reached, and the connection broke.
    'error sending request: Post "https://10.0.0.1:10250/exec/demo/work/sidecar": EOF',
  ])('about anything else proves nothing: %s', (message) => {
    expect(conclude(internal(message)).kind).toBe('Unconfirmed');
  });
});
