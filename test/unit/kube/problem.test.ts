import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, parseStatus, problemOf, problemOfError } from '../../../src/kube/problem.ts';
import type { ProblemKind } from '../../../src/vocabulary.ts';
import { readRecording, refusedUpgrade, statusFrame } from '../../builders/recordings.ts';

const server = 'https://127.0.0.1:6443';
const token = 'eyJhbGciOiJSUzI1NiJ9.c2VjcmV0.c2lnbmF0dXJl';

function recordedBody(name: string): unknown {
  const [first] = readRecording(name).exchanges ?? [];
  return first?.body;
}

describe('a Status is read', () => {
  it('from an expired list, with the token to go on with', () => {
    expect(parseStatus(recordedBody('list-expired-continue'))).toMatchObject({
      reason: 'Expired',
      code: 410,
      continueToken:
        'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiZGVtby9kZWFkbGluZS05cnpwNVx1MDAwMCJ9',
      success: false,
    });
  });

  it('from the frame of an exec that failed, which has no kind, with its causes', () => {
    expect(parseStatus(parseJson(statusFrame('exec-v4')))).toMatchObject({
      reason: 'NonZeroExitCode',
      success: false,
      causes: [{ reason: 'ExitCode', message: '3' }],
    });
  });

  it('from the frame of an exec that succeeded', () => {
    expect(parseStatus({ metadata: {}, status: 'Success' })).toMatchObject({ success: true, causes: [] });
  });

  it('with what is there, when fields are missing or of another type', () => {
    const odd = {
      kind: 'Status',
      reason: 7,
      message: null,
      code: '410',
      metadata: [],
      details: { causes: [1, {}] },
    };
    expect(parseStatus(odd)).toEqual({
      reason: undefined,
      message: undefined,
      code: undefined,
      continueToken: undefined,
      causes: [{ reason: undefined, message: undefined }],
      success: false,
    });
  });

  it.each([
    ['a pod', { kind: 'Pod', metadata: {}, status: { phase: 'Running' } }],
    ['a list', { kind: 'PodList', items: [] }],
    ['an array', [{ status: 'Success' }]],
    ['null', null],
    ['a string', 'Success'],
    ['nothing', undefined],
    ['an empty object', {}],
    ['a status of another word', { status: 'Pending' }],
  ])('but %s is none', (_title, value) => {
    expect(parseStatus(value)).toBeUndefined();
  });

  it('and no JSON makes it throw', () => {
    fc.assert(fc.property(fc.json(), (text) => void parseStatus(parseJson(text))));
    const near = fc.record({
      status: fc.constant('Failure'),
      details: fc.jsonValue(),
      metadata: fc.jsonValue(),
    });
    fc.assert(
      fc.property(near, (value) => {
        expect(parseStatus(value)?.success).toBe(false);
      }),
    );
  });
});

describe('a refusing answer', () => {
  const status = (message: string) => JSON.stringify({ kind: 'Status', status: 'Failure', message });

  it.each<readonly [httpStatus: number, body: string, kind: ProblemKind, message: string]>([
    [403, status('pods is forbidden'), 'Forbidden', 'pods is forbidden'],
    [404, status('pods "x" not found'), 'NotFound', 'pods "x" not found'],
    // Not an API server's word: a 404 of a proxy does not mean that the pod is gone.
    [404, '404 page not found\n', 'Malformed', '404 page not found'],
    [404, '', 'Malformed', 'HTTP 404'],
    [400, status('field label not supported: x'), 'Rejected', 'HTTP 400: field label not supported: x'],
    [500, 'container not found ("main")', 'Rejected', 'HTTP 500: container not found ("main")'],
    [503, '', 'Rejected', 'HTTP 503: HTTP 503'],
    [403, '', 'Forbidden', 'HTTP 403'],
  ])('%i with %j is %s', (httpStatus, body, kind, message) => {
    expect(problemOf(httpStatus, body)).toEqual({ kind, message });
  });

  it('401 blames the credentials', () => {
    const { status: httpStatus, body } = refusedUpgrade('exec-unauthorized');
    expect(problemOf(httpStatus, body)).toEqual({
      kind: 'Unauthorized',
      message: 'the API server does not accept the credentials (Unauthorized)',
    });
  });

  it('gives one short line, however long and wild the body is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 201, max: 599 }),
        fc.string({ unit: 'binary', maxLength: 3_000 }),
        (code, body) => {
          const { message } = problemOf(code, body);
          expect(message).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect(message.length).toBeLessThan(600);
          expect(message).not.toBe('');
        },
      ),
    );
  });
});

describe('no answer at all', () => {
  const coded = (code: string, message = 'failed') => Object.assign(new Error(message), { code });
  const noMessage = 'cannot be reached: an error without a message';
  const endless = new Error('round and round');
  endless.cause = endless;

  it.each<readonly [title: string, error: unknown, kind: ProblemKind, says: string]>([
    ['a refused connection', coded('ECONNREFUSED'), 'Unreachable', `${server} refuses connections`],
    ['an unknown host', coded('ENOTFOUND'), 'Unreachable', 'host name'],
    ['a name server that is away', coded('EAI_AGAIN'), 'Unreachable', 'DNS'],
    ['a connection that is never made', coded('UND_ERR_CONNECT_TIMEOUT'), 'TimedOut', 'no connection'],
    [
      'a self-signed certificate',
      coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
      'Unreachable',
      'certificate-authority',
    ],
    ['an expired certificate', coded('CERT_HAS_EXPIRED'), 'Unreachable', 'CERT_HAS_EXPIRED'],
    [
      'a certificate for another host',
      coded('ERR_TLS_CERT_ALTNAME_INVALID'),
      'Unreachable',
      'is not trusted',
    ],
    [
      'anything else',
      coded('ECONNRESET', 'socket hang up'),
      'Unreachable',
      'cannot be reached: socket hang up',
    ],
    [
      'an error that undici wraps',
      new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }),
      'Unreachable',
      'refuses connections',
    ],
    [
      'what Node says when it has tried several addresses',
      new AggregateError([coded('ECONNREFUSED'), coded('ETIMEDOUT')], ''),
      'Unreachable',
      'refuses connections',
    ],
    ['text that was thrown, of which nobody knows what it holds', 'boom', 'Unreachable', noMessage],
    ['an object without anything', Object.create(null), 'Unreachable', noMessage],
    ['an error that is its own cause', endless, 'Unreachable', 'cannot be reached: round and round'],
    ['an error of no errors', new AggregateError([], 'none'), 'Unreachable', 'cannot be reached: none'],
    [
      'an error whose cause is none',
      new Error('failed', { cause: Object.create(null) }),
      'Unreachable',
      'cannot be reached: failed',
    ],
    ['nothing thrown', undefined, 'Unreachable', noMessage],
  ])('%s', (_title, error, kind, says) => {
    const problem = problemOfError(error, server);
    expect(problem.kind).toBe(kind);
    expect(problem.message).toContain(says);
  });

  /** As the errors of ws and undici do, these hold the request that failed. */
  const request = {
    headers: { authorization: `Bearer ${token}` },
    _header: `Authorization: Bearer ${token}\r\n`,
  };
  it.each<readonly [title: string, error: unknown]>([
    [
      'an error that holds its request',
      Object.assign(new Error('Unexpected server response: 403'), { request }),
    ],
    ['an error event that holds its socket', { type: 'error', message: 'failed', target: { _req: request } }],
    [
      'a cause that holds its request',
      new Error('failed', { cause: Object.assign(coded('ECONNRESET'), request) }),
    ],
    [
      'one of several errors',
      Object.assign(new AggregateError([Object.assign(coded('EPIPE'), request)], ''), request),
    ],
    [
      'an error that says how it prints',
      Object.assign(new Error('failed'), { toString: () => `Bearer ${token}` }),
    ],
  ])('never prints the bearer token: %s', (_title, error) => {
    const { message } = problemOfError(error, server);
    expect(message).not.toBe('');
    expect(message).not.toContain(token);
    expect(message).not.toContain('Bearer');
  });
});
