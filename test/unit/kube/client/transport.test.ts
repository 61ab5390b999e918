import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/kube/auth/connection.ts';
import { Credentials, Secrets } from '../../../../src/kube/auth/credentials.ts';
import { Transport } from '../../../../src/kube/client/transport.ts';
import { readLease } from '../../../../src/kube/objects/leases.ts';
import { concludeWrite } from '../../../../src/kube/pods/write.ts';
import { readRetries } from '../../../../src/util/retry.ts';
import { connectionTo } from '../../../builders/connection.ts';
import { listening } from '../../../builders/listening.ts';
import { clockOf } from '../../../builders/stepped-clock.ts';
import { steppedClock } from '../../../kit/emulator/index.ts';
import { startedForEach } from '../../../kit/started.ts';

const token = 'c2VjcmV0LXRva2Vu';

const user = { token: { kind: 'Text', text: token } } as const;
const plugin = {
  command: 'sh',
  env: process.env,
  apiVersion: 'client.authentication.k8s.io/v1',
  interactiveMode: 'Never',
  installHint: undefined,
  provideClusterInfo: false,
  clusterConfig: undefined,
} as const;

type Reaction = (response: ServerResponse, request: IncomingMessage) => void;

const says =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Reaction =>
  (response) =>
    response.writeHead(status, headers).end(body);
const resets: Reaction = (response) => response.destroy();
const busy = says(429, '', { 'retry-after': '7' });
const cuts: Reaction = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"a"');
  setTimeout(() => response.destroy(), 20);
};
const neverAnswers: Reaction = () => undefined;

const { signal: abort } = new AbortController();

/** A server that reacts like this to one request after the other, the last way for ever. */
class Stand {
  /** When requests arrived, and what they were, by the transport's clock. */
  readonly arrived: (readonly [at: number, method: string])[] = [];
  readonly time = steppedClock(0);
  #server: Server | undefined;
  #transport: Transport | undefined;

  async open(
    reactions: readonly Reaction[],
    timeout = 60_000,
    as: Connection['user'] = user,
  ): Promise<Transport> {
    const server = createServer((request, response) => {
      this.arrived.push([this.time.now().getTime(), request.method ?? '']);
      (reactions[this.arrived.length - 1] ?? reactions.at(-1))?.(response, request);
    });
    this.#server = server;
    const port = await listening(server);
    const pace = { clock: clockOf(this.time), random: () => 1 };
    const secrets = new Secrets();
    const to = connectionTo(`http://127.0.0.1:${port}`, { user: as });
    const options = { ...secrets, limit: timeout, clock: pace.clock, prompt: undefined };
    const credentials = new Credentials(to, options, abort);
    this.#transport = new Transport(to, credentials, timeout, pace, secrets);
    return this.#transport;
  }

  async finish<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    work.then(end, end);
    while (!isDone) {
      // An answer takes real time, in which the clock must stand still; a pause takes none.
      for (let turn = 0; turn < 50 && !isDone; turn++) await setImmediate();
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (!isDone) await this.time.advance(100);
    }
    return work;
  }

  async stop(): Promise<void> {
    this.#transport?.close();
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

const stand = startedForEach(async () => new Stand());
const write = { method: 'DELETE', path: '/x', body: {} } as const;

describe('a read is tried again', () => {
  it.each<readonly [title: string, reaction: Reaction]>([
    ['after a 429', says(429)],
    ['after a 500', says(500, 'oops')],
    ['after a 503', says(503)],
    ['after a reset', resets],
    ['after a cut', cuts],
  ])('%s', async (_title, reaction) => {
    const transport = await stand.open([reaction, reaction, says(200, '{}')]);
    const answer = await stand.finish(transport.get('/x', {}, abort));
    expect(answer).toMatchObject({ kind: 'Answered', status: 200, body: '{}' });
    expect(stand.arrived).toHaveLength(3);
  });

  it('a few times, and its last answer is what came of it', async () => {
    const transport = await stand.open([says(500, 'oops')]);
    expect(await stand.finish(transport.get('/x', {}, abort))).toMatchObject({ status: 500, body: 'oops' });
    expect(stand.arrived).toHaveLength(readRetries.mostTries);
  });

  it('even if it is a POST, as long as it changes nothing', async () => {
    const transport = await stand.open([resets, says(201, '{}')]);
    expect(await stand.finish(transport.ask('/x', {}, abort))).toMatchObject({ status: 201 });
    expect(stand.arrived.map(([, method]) => method)).toEqual(['POST', 'POST']);
  });

  it.each([400, 401, 403, 404, 410, 422])('but not after a %i', async (status) => {
    const transport = await stand.open([says(status)]);
    expect(await stand.finish(transport.get('/x', {}, abort))).toMatchObject({ status });
    expect(stand.arrived).toHaveLength(1);
  });

  it('but not once the sweep has stopped', async () => {
    const stopping = new AbortController();
    const transport = await stand.open([
      (response) => {
        stopping.abort();
        response.writeHead(500).end();
      },
    ]);
    await stand.finish(transport.get('/x', {}, stopping.signal));
    expect(stand.arrived).toHaveLength(1);
  });
});

it('an answer that does not end within the timeout is none', async () => {
  const transport = await stand.open([neverAnswers], 50);
  const answer = await stand.finish(transport.send(write, abort));
  expect(answer).toMatchObject({ kind: 'Unanswered', problem: { kind: 'TimedOut' } });
});

it.each<readonly [title: string, reaction: Reaction]>([
  ['a 503', says(503)],
  ['a reset', resets],
])('a write is not repeated after %s: it may have taken place', async (_title, reaction) => {
  const transport = await stand.open([reaction, says(200)]);
  await stand.finish(transport.send(write, abort));
  expect(stand.arrived).toHaveLength(1);
});

it('a read waits as long as the server asks, and other requests do not', async () => {
  const transport = await stand.open([busy, says(200, '{}')]);
  const both = Promise.all([transport.get('/a', {}, abort), transport.get('/b', {}, abort)]);
  expect(await stand.finish(both)).toMatchObject([{ status: 200 }, { status: 200 }]);
  const [, second = 0, third] = stand.arrived.map(([at]) => at);
  expect(second).toBeLessThan(1_000);
  expect(third).toBeGreaterThanOrEqual(7_000);
});

it('what a read allowed is not sent once it had to wait until the read was old', async () => {
  const issued = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } };
  const args = ['-c', `sleep 1; echo '${JSON.stringify(issued)}'`];
  const transport = await stand.open([says(200, '{}')], 60_000, { plugin: { ...plugin, args } });
  const [written, socket] = await stand.finish(
    Promise.all([transport.sendSoon(write, abort), transport.socket('/b', abort)]),
  );
  const message = expect.stringMatching('wait');
  expect(concludeWrite(written)).toMatchObject({ kind: 'Undelivered', message });
  expect(socket).toMatchObject({ kind: 'TimedOut', message });
  expect(stand.arrived).toEqual([]);
  // The one that follows its own read.
  expect(await stand.finish(transport.sendSoon(write, abort))).toMatchObject({ status: 200 });
});

it('a token in an error of the server is not passed on', async () => {
  const transport = await stand.open([
    (response, { headers }) => response.writeHead(403).end(`no ${headers.authorization}, go away`),
  ]);
  const answer = await stand.finish(transport.get('/x', {}, abort));
  expect(answer).toMatchObject({ status: 403, body: 'no Bearer [redacted], go away' });
});

it.each([200, 401, 403, 500])('a typed call does not pass on the token that a %i repeats', async (status) => {
  const echo: Reaction = (response, { headers }) => response.writeHead(status).end(headers.authorization);
  const transport = await stand.open([echo]);
  const lease = { namespace: 'demo', name: 'sweeper' };
  const reading = await stand.finish(readLease(transport, lease, abort));
  const problem = { message: expect.stringContaining('[redacted]') };
  expect(reading).toMatchObject({ kind: 'Unreadable', problem });
  expect(JSON.stringify(reading)).not.toContain(token);
});
