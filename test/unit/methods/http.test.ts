import { describe, expect, it } from 'vitest';
import { http } from '../../../src/methods/http.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { Cluster, HttpResult } from '../../../src/model/ports.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, pod, recipient, subject } from './recipient.ts';

function spec(request: object) {
  return http.written.parse({ http: { port: 15_020, path: '/quitquitquit', ...request } });
}

describe('a written request', () => {
  it.each([
    ...['GET', 'POST', 'PUT', 'DELETE'].map((method) => [{ method }, true] as const),
    [{ method: 'PATCH' }, false],
    [{ path: '/quit?now=1&drain=~!' }, true],
    [{ port: 0 }, false],
    [{ port: 65_535 }, true],
    [{ headers: { 'x-a': 'b' } }, true],
    [{ headers: { 'x-a': 1 } }, false],
    [{ headers: { 'x a': 'b' } }, false],
    [{ headers: { 'x-a': 'b\r\nx-c: d' } }, false],
    [{ headers: { '': 'b' } }, false],
    [{ statuses: [] }, true],
    [{ statuses: [100, 599] }, true],
    [{ statuses: [99] }, false],
    [{ statuses: [600] }, false],
    [{ body: '' }, false],
  ] as const)('with %j: is it accepted? %s', (request, expected) => {
    const written = { http: { port: 1, path: '/', ...request } };
    expect(http.written.safeParse(written).success).toBe(expected);
  });

  it.each(['', 'quit', ' /quit', '/quit now', '/quit\t', '/quit\r\nHost: x', '/ü', '/\x7f'])(
    'cannot have the path %j, which Node’s client would throw on',
    (path) => {
      const { error } = http.written.safeParse({ http: { port: 1, path } });
      const expected = ['write a path that starts with / and has no spaces'];
      expect(error?.issues.map(({ message }) => message)).toEqual(expected);
    },
  );

  it('reads as method, port and path', () => {
    expect(http.describeSpec(spec({}))).toBe('POST :15020/quitquitquit');
    expect(http.describeSpec(spec({ port: { env: 'PORT' } }))).toBe('POST :(PORT)/quitquitquit');
    expect(http.describe(steps.Http)).toBe('POST localhost:15020/quitquitquit');
  });
});

describe('a request is unfit', () => {
  it.each([
    ['if the pod turns its endpoint off', { annotations: { port: '0' } }, 'the pod sets its port to 0'],
    ['if the pod does not set its port', {}, 'the pod does not set its port'],
    ['if the pod sets no valid port', { annotations: { port: 'auto' } }, 'not a valid port: auto'],
  ])('%s', (_title, of, detail) => {
    const written = spec({ port: { annotation: 'port' } });
    expect(http.whyUnfit(written, subject(of))).toEqual({ reason: 'Off', detail });
    expect(http.toSteps(written, common, subject(of))).toEqual([]);
  });

  it('if the pod’s loopback is the node’s', () => {
    const expected = { reason: 'SeesTheNode', detail: 'hostNetwork' };
    expect(http.whyUnfit(spec({}), subject({ hostNetwork: true }))).toEqual(expected);
    expect(http.whyUnfit(spec({}), subject({ processNamespace: 'Node' }))).toBeUndefined();
  });
});

describe('an annotation may ask for the requests that the catalogue makes, and for no others:', () => {
  const found = { annotation: 'acme/port', argument: '--port', env: 'PORT', default: 9_000 };
  const known = [spec({ path: '/other' }), spec({ method: 'GET', port: found, headers: { a: '1' } })];
  const asked = { method: 'GET', port: 9_000, headers: { a: '1' } };

  it.each<readonly [title: string, more: Parameters<typeof spec>[0], admitted: boolean]>([
    ['one of them, at its usual port', {}, true],
    ['at a port that the container’s own spec has', { port: { argument: '--port', env: 'PORT' } }, true],
    ['at any other port', { port: 6_379 }, false],
    ['at a port that another annotation names', { port: found }, false],
    ['at a port that another argument names', { port: { argument: '--redis' } }, false],
    ['at a port that another variable names', { port: { env: 'REDIS' } }, false],
    ['at another port, if there is none', { port: { env: 'PORT', default: 6_379 } }, false],
    ['by another method', { method: 'POST' }, false],
    ['to another path', { path: '/other' }, false],
    ['with another header', { headers: { a: '1', authorization: 'x' } }, false],
    ['without its header', { headers: {} }, false],
    ['with other answers that mean yes', { statuses: [500] }, false],
  ])('%s', (_title, more, admitted) => {
    expect(http.isAdmitted(spec({ ...asked, ...more }), { patterns: [], known })).toBe(admitted);
  });

  it('none, if the catalogue has none', () => {
    expect(http.isAdmitted(spec({}), { patterns: [], known: [] })).toBe(false);
  });
});

describe('the step of a request', () => {
  const full = { method: 'POST', port: 15_020, path: '/quitquitquit', headers: {}, statuses: [] };
  const own = { method: 'PUT', port: 1, path: '/', headers: { 'x-token': 'a' }, statuses: [302] };

  it.each([
    ['everything that was left out', {}, undefined, full],
    ['everything that is written', own, 0, own],
    [
      'the port that the pod says',
      { port: { annotation: 'port', default: 1 } },
      undefined,
      { ...full, port: 9_001 },
    ],
  ] as const)('has %s', (_title, written, exitCode, request) => {
    const of = subject({ annotations: { port: '9001' } });
    const expected = [{ ...common, method: 'Http', request, exitCode }];
    expect(http.toSteps(spec(written), { ...common, exitCode }, of)).toEqual(expected);
  });
});

/** What a request that ended like this comes to; `statuses` are those that mean yes. */
function attempt(result: HttpResult, statuses: readonly number[] = []): Promise<AttemptResult> {
  const step = { ...steps.Http, request: { ...steps.Http.request, statuses } };
  return http.send(step, recipient({ request: async () => result }));
}

it('the request is sent to the pod as the step has it', async () => {
  const calls: Parameters<Cluster['request']>[] = [];
  const to = recipient({
    async request(...call) {
      calls.push(call);
      return { kind: 'Answered', status: 200 };
    },
  });
  await http.send(steps.Http, to);
  expect(calls).toEqual([[pod, steps.Http.request, abort]]);
});

describe('an answer', () => {
  it.each<[AttemptResult['kind'], readonly number[]]>([
    ['Accepted', [200, 202, 204, 299]],
    // The sidecar does not offer this.
    ['Unsupported', [101, 199, 300, 301, 400, 403, 404, 405, 499]],
    // Only the pod shows whether it quits.
    ['Failed', [500, 503]],
  ])('is %s with %j', async (kind, statuses) => {
    const message = kind === 'Accepted' ? undefined : expect.stringMatching(/^HTTP \d+$/);
    for (const status of statuses)
      expect(await attempt({ kind: 'Answered', status })).toEqual({ kind, message });
  });

  it('means yes only if it is one of the statuses that the step names', async () => {
    expect(await attempt({ kind: 'Answered', status: 302 }, [302, 503])).toEqual({ kind: 'Accepted' });
    const expected = { kind: 'Failed', message: 'HTTP 200' };
    expect(await attempt({ kind: 'Answered', status: 200 }, [302, 503])).toEqual(expected);
  });
});

// biome-ignore format: one row a line
it.each<readonly [HttpResult, AttemptResult]>([
  // Only the pod shows whether it quit.
  [{ kind: 'Closed' }, { kind: 'Unconfirmed', message: 'the connection closed without an answer' }],
  [{ kind: 'NotListening', message: 'error forwarding port' }, { kind: 'Unsupported', message: 'error forwarding port' }],
  [{ kind: 'Busy', message: 'later', retryAfterMs: 7_000 }, { kind: 'Busy', message: 'later', retryAfterMs: 7_000 }],
  [{ kind: 'Undelivered', message: 'why', noUpgrade: true }, { kind: 'Undelivered', message: 'why', noUpgrade: true }],
  // What gates know of nodes is not in the report.
  [{ kind: 'Unconfirmed', message: 'why', silentNode: true }, { kind: 'Unconfirmed', message: 'why' }],
  ...(['NotThere', 'Refused', 'Undelivered', 'Unconfirmed'] as const).map((kind) => [{ kind, message: 'why' }, { kind, message: 'why' }] as const),
])('%j is the attempt %j', async (result, expected) => {
  expect(await attempt(result)).toStrictEqual(expected);
});
