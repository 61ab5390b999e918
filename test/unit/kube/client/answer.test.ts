import { describe, expect, it } from 'vitest';
import { parseStatus, problemOf, problemOfError } from '../../../../src/kube/client/answer.ts';
import type { ProblemKind } from '../../../../src/model/reading.ts';
import { describeUnread } from '../../../../src/report/texts/warnings.ts';
import { parseJson } from '../../../../src/util/json.ts';
import { readRecording, refusedUpgrade, statusFrame } from '../../../builders/recordings.ts';

const server = 'https://127.0.0.1:6443';
const token = 'eyJhbGciOiJSUzI1NiJ9.c2VjcmV0.c2lnbmF0dXJl';

function recordedBody(name: string): unknown {
  const [first] = readRecording(name).exchanges ?? [];
  return first?.body;
}

describe('a Status is read', () => {
  const token = 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiZGVtby9kZWFkbGluZS05cnpwNVx1MDAwMCJ9';
  const expired = { reason: 'Expired', code: 410, continueToken: token, success: false };
  const exited = {
    reason: 'NonZeroExitCode',
    success: false,
    causes: [{ reason: 'ExitCode', message: '3' }],
  };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, value: unknown, status: object]>([
    ['from an expired list, with the token to continue', recordedBody('list-expired-continue'), expired],
    ['from the frame of a failed exec, which has causes but no kind', parseJson(statusFrame('exec-v4')), exited],
    ['from the frame of a successful exec', { metadata: {}, status: 'Success' }, { success: true, causes: [] }],
  ])('%s', (_title, value, status) => {
    expect(parseStatus(value)).toMatchObject(status);
  });

  it('with missing and mistyped fields as undefined', () => {
    const odd = { reason: 7, message: null, code: '410', metadata: [], details: { causes: [1, {}] } };
    expect(parseStatus({ kind: 'Status', ...odd })).toEqual({ causes: [{}], success: false });
  });

  it.each([
    ['a pod', { kind: 'Pod', metadata: {}, status: { phase: 'Running' } }],
    ['a list', { kind: 'PodList', items: [] }],
    ['an array', [{ status: 'Success' }]],
    ['null', null],
    ['a string', 'Success'],
    ['nothing', undefined],
    ['an empty object', {}],
    ['another value of status', { status: 'Pending' }],
  ])('but not from %s', (_title, value) => {
    expect(parseStatus(value)).toBeUndefined();
  });
});

describe('a refusal', () => {
  const status = (message: string, details?: object) =>
    JSON.stringify({ kind: 'Status', status: 'Failure', message, details });
  const page = '<html>\r\n<head><title>No</title></head></html>';
  const who = 'is it a Kubernetes API server, or does a login proxy stand in front of it?';

  it.each<readonly [httpStatus: number, body: string, kind: ProblemKind, message: string]>([
    [403, status('pods is forbidden'), 'Forbidden', 'pods is forbidden'],
    [403, status('is forbidden', { causes: [{ reason: 'Other' }] }), 'Forbidden', 'is forbidden'],
    // No permission would help.
    [403, status('no', { causes: [{ reason: 'NamespaceTerminating' }] }), 'Rejected', 'no'],
    [404, status('pods "x" not found', { name: 'x', kind: 'pods' }), 'NotFound', 'pods "x" not found'],
    // It names no object: the path is not served, or a gateway has no such cluster.
    [404, status('could not find the resource', {}), 'Malformed', 'could not find the resource'],
    [404, status('cluster not found'), 'Malformed', 'cluster not found'],
    // Not from an API server: a 404 from a proxy does not mean that the pod no longer exists.
    [404, '404 page not found\n', 'Malformed', '404 page not found'],
    [404, '', 'Malformed', 'HTTP 404'],
    [404, '{"status":"Failure","details":{"name":"x"}}', 'Malformed', expect.stringContaining('Failure')],
    [400, status('field label not supported: x'), 'Rejected', 'HTTP 400: field label not supported: x'],
    [500, 'container not found ("main")', 'Rejected', 'HTTP 500: container not found ("main")'],
    [503, '', 'Rejected', 'HTTP 503'],
    [403, '', 'Forbidden', 'HTTP 403'],
    // From a proxy, whose page is not shown as it is.
    [302, '', 'Rejected', `the server answered HTTP 302 (a redirect): ${who}`],
    [307, page, 'Rejected', `the server answered HTTP 307 (a redirect): ${who}`],
    [400, page, 'Rejected', `the server answered HTTP 400 (HTML): ${who}`],
    [401, page, 'Unauthorized', `the server answered HTTP 401 (HTML): ${who}`],
    [403, page, 'Forbidden', `the server answered HTTP 403 (HTML): ${who}`],
    [404, `\n${page}`, 'Malformed', `the server answered HTTP 404 (HTML): ${who}`],
    [503, page, 'Rejected', 'a gateway answered HTTP 503 (HTML): is the API server behind it available?'],
  ])('%i with %j is %s', (httpStatus, body, kind, message) => {
    expect(problemOf(httpStatus, body)).toMatchObject({ kind, message });
  });

  it('is from the API server only if it is a Status: no permission helps against the others', () => {
    expect(problemOf(403, status('pods is forbidden')).isForeign).toBeUndefined();
    for (const body of [page, '', 'RBAC: access denied', '{"message":"no"}']) {
      expect(problemOf(403, body)).toMatchObject({ kind: 'Forbidden', isForeign: true });
    }
  });

  // biome-ignore format: one row a line
  it.each([
    'users "admin" is forbidden: User "x" cannot impersonate resource "users" in API group "" at the cluster scope',
    'users.authentication.k8s.io "admin" is forbidden: User "x" cannot impersonate-on:user-info:list resource "pods"',
  ])('names impersonate as what is missing, and no other permission: %s', (message) => {
    const problem = problemOf(403, status(message));
    const says = `${message}; this account lacks impersonate on users, groups or serviceaccounts: grant it, or do not act as another user (--as, or as in the kubeconfig)`;
    expect(problem).toEqual({ kind: 'Forbidden', message: says, isForeign: true });
    const text = describeUnread({ namespace: undefined, problem });
    expect(text).toBe(`cannot list pods in all namespaces: ${says}`);
  });

  it('may not come again if the server is busy or broken', () => {
    const statuses = [400, 401, 403, 404, 410, 422, 429, 500, 501, 502, 503, 504];
    const fleeting = statuses.filter((httpStatus) => problemOf(httpStatus, '').isFleeting);
    expect(fleeting).toEqual([429, 500, 502, 503, 504]);
  });

  it('with 401 names the credentials', () => {
    const { status: httpStatus, body } = refusedUpgrade('exec-unauthorized');
    const message = 'the API server does not accept the credentials (Unauthorized)';
    expect(problemOf(httpStatus, body)).toEqual({ kind: 'Unauthorized', message });
  });
});

describe('a missing answer', () => {
  const coded = (code: string, message = 'failed') => Object.assign(new Error(message), { code });
  const noMessage = 'cannot be reached: an error without a message';
  const several = new AggregateError([coded('ECONNREFUSED'), coded('ETIMEDOUT')], '');

  // biome-ignore format: one row a line
  it.each<readonly [title: string, error: unknown, kind: ProblemKind, says: string]>([
    ['a refused connection', coded('ECONNREFUSED'), 'Unreachable', `${server} refuses connections`],
    ['an unknown host', coded('ENOTFOUND'), 'Unreachable', 'host name'],
    ['an unavailable name server', coded('EAI_AGAIN'), 'Unreachable', 'DNS'],
    ['a connection timeout', coded('ETIMEDOUT'), 'TimedOut', 'no connection'],
    ['a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'Unreachable', 'certificate-authority'],
    ['an expired certificate', coded('CERT_HAS_EXPIRED'), 'Unreachable', 'CERT_HAS_EXPIRED'],
    ['a certificate of another', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'Unreachable', 'is for another name'],
    ['a server of TLS 1.0', coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), 'Unreachable', 'TLS 1.2 or later'],
    ['any other error', coded('ECONNRESET', 'socket hang up'), 'Unreachable', 'cannot be reached: socket hang up'],
    ['a server that wants a certificate', Object.assign(coded('ERR_SSL_X', '80:error'), { reason: 'alert' }), 'Unreachable', 'cannot be reached: alert'],
    ['Node’s error after several addresses', several, 'Unreachable', 'refuses connections'],
    ['a thrown string, which may contain secrets', 'boom', 'Unreachable', noMessage],
    ['an empty object', Object.create(null), 'Unreachable', noMessage],
    ['an aggregate without errors', new AggregateError([], 'none'), 'Unreachable', 'cannot be reached: none'],
    ['undefined', undefined, 'Unreachable', noMessage],
  ])('%s', (_title, error, kind, says) => {
    const problem = problemOfError(error, server);
    expect(problem.kind).toBe(kind);
    expect(problem.message).toContain(says);
  });

  it.each([
    // Without a name server, the network of a new pod may not be up yet.
    ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'EAI_AGAIN', 'ETIMEDOUT'],
    ...['ERR_SSL_UNEXPECTED_EOF_WHILE_READING', 'HPE_INVALID_EOF_STATE'],
  ])('%s is worth another try', (code) => {
    expect(problemOfError(coded(code), server).isFleeting).toBe(true);
  });

  it.each([
    ...['ENOTFOUND', 'CERT_HAS_EXPIRED', 'CERT_REVOKED', 'INVALID_PURPOSE', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_UNSUPPORTED_PROTOCOL'],
    ...['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'HPE_INVALID_CONSTANT', 'HPE_HEADER_OVERFLOW'],
  ])('%s does not get better by waiting', (code) => {
    expect(problemOfError(coded(code), server).isFleeting).toBeUndefined();
  });

  it('neither does what has no code: a defect, or a proxy that refuses', () => {
    expect(problemOfError(new Error('failed'), server).isFleeting).toBeUndefined();
  });

  /** A failed request, as in the errors of node:http and ws. */
  const request = {
    headers: { authorization: `Bearer ${token}` },
    _header: `Authorization: Bearer ${token}\r\n`,
  };
  const holding = Object.assign(coded('ECONNRESET'), request, { request });
  const telling = Object.assign(new Error('failed'), { toString: () => `Bearer ${token}` });
  it.each<readonly [title: string, error: unknown]>([
    ['an error that holds its request', holding],
    ['an error event that holds its socket', { type: 'error', message: 'failed', target: { _req: request } }],
    ['one of several errors', Object.assign(new AggregateError([holding], ''), request)],
    ['an error with its own toString', telling],
  ])('never prints the bearer token: %s', (_title, error) => {
    const { message } = problemOfError(error, server);
    expect(message).not.toBe('');
    expect(message).not.toContain(token);
    expect(message).not.toContain('Bearer');
  });
});
