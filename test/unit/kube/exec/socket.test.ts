import { getEventListeners, once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type Duplex, PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { openSession, type Talk } from '../../../../src/kube/exec/exec.ts';
import { type SocketServer, socketServer } from '../../../builders/socket-server.ts';

/** Long enough for a busy machine to connect. */
const timeToConnect = 1_500;

interface Wishes {
  readonly timeout?: number;
  readonly abort?: AbortSignal;
  /** After how long the sweep is stopped. */
  readonly stopAfter?: number;
  readonly resource?: 'pods/exec' | 'pods/portforward';
}

function listen(transport: SocketServer['transport'], wishes: Wishes = {}, talk: Talk<string> = heard) {
  const { resource = 'pods/exec', timeout = 60_000, stopAfter = 60_000 } = wishes;
  const { abort = AbortSignal.timeout(stopAfter) } = wishes;
  const upgrade = { path: '/exec?a=b', resource };
  return openSession({ ...transport, timeout }, upgrade, abort, talk);
}

const heard: Talk<string> = (socket, finish) => {
  socket.on('message', (data) => finish(data.toString()));
};

describe('a session', () => {
  it('requests the path with its subprotocols, and returns the result of the talk', async () => {
    const { transport, asked } = await socketServer({ accept: (socket) => socket.send('hello') });
    expect(await listen(transport)).toBe('hello');
    expect(asked).toEqual([['/exec?a=b', 'v5.channel.k8s.io,v4.channel.k8s.io']]);
  });

  it('has one result, regardless of further messages', async () => {
    const { transport } = await socketServer({
      accept(socket) {
        socket.send('first');
        socket.send('second');
        socket.send(Buffer.alloc(2 ** 21));
      },
    });
    expect(await listen(transport)).toBe('first');
  });

  it('leaves no connection and no listener behind', async () => {
    const { transport, accepted } = await socketServer({ accept: (socket) => socket.send('hello') });
    const { signal: abort } = new AbortController();
    await listen(transport, { abort });
    expect(getEventListeners(abort, 'abort')).toEqual([]);
    await Promise.all(accepted.map((socket) => once(socket, 'close')));
    expect(accepted).toHaveLength(1);
  });
});

describe('a refused upgrade', () => {
  it('returns the meaning of the answer', async () => {
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', message: 'pods "x" not found' });
    const refuse: RequestListener = (_request, response) => response.writeHead(404).end(body);
    const { transport } = await socketServer({ refuse });
    expect(await listen(transport)).toEqual({ kind: 'NotThere', message: 'pods "x" not found' });
  });

  it('is none if its body is truncated', async () => {
    const { transport } = await socketServer({
      refuse(request, response) {
        response.writeHead(404, { 'content-length': 1_000 }).write('not found');
        setTimeout(() => request.socket.destroy(), 50);
      },
    });
    expect(await listen(transport)).toMatchObject({ kind: 'Unconfirmed', unopened: true });
  });

  it('times out if the body never ends', async () => {
    const { transport } = await socketServer({
      refuse: (_request, response) => void response.writeHead(404).write('not found'),
    });
    const message = 'no result within 0.3s (--request-timeout)';
    expect(await listen(transport, { timeout: 300 })).toMatchObject({ kind: 'Undelivered', message });
  });

  it('returns it once it has the beginning of a body that goes on and on', async () => {
    const { transport } = await socketServer({
      refuse(_request, response) {
        response.writeHead(400);
        const more = () => void response.write('x'.repeat(2 ** 14), () => setImmediate(more));
        more();
      },
    });
    const message = expect.stringMatching(/: HTTP 400: x+…$/);
    expect(await listen(transport)).toEqual({ kind: 'Undelivered', message, noUpgrade: true });
  });
});

describe('a session that ends before it is connected delivered nothing:', () => {
  const neverAnswering = { refuse: () => undefined };

  // A command may run by then, whose upgrade has not reached us; a tunnel has carried nothing.
  const mayRun = { kind: 'Unconfirmed', unopened: true };
  const forwarding = { resource: 'pods/portforward' } as const;
  const isStopped = { message: 'the sweep was stopped' };
  const hangingUp: Parameters<typeof socketServer>[0] = { refuse: (request) => request.socket.destroy() };
  const hungUp = { message: expect.stringContaining('cannot be reached: socket hang up') };
  const late = { message: 'no result within 0.1s (--request-timeout)', silentNode: true };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, does: Parameters<typeof socketServer>[0], wishes: Wishes, expected: object]>([
    ['by a timeout', neverAnswering, { timeout: 100 }, { kind: 'Undelivered', ...late }],
    ['by an abort', neverAnswering, { stopAfter: 100 }, { ...mayRun, ...isStopped }],
    ['by an abort of a tunnel', neverAnswering, { stopAfter: 100, ...forwarding }, { kind: 'Undelivered', ...isStopped }],
    ['by a server that hangs up', hangingUp, {}, { ...mayRun, ...hungUp }],
    ['by a server that hangs up a tunnel', hangingUp, forwarding, { kind: 'Undelivered', ...hungUp }],
  ])('%s', async (_title, does, wishes, expected) => {
    const { transport } = await socketServer(does);
    expect(await listen(transport, wishes)).toEqual(expected);
  });

  it('by a connection that cannot be made', async () => {
    const { transport } = await socketServer(neverAnswering);
    const createConnection = (_options: unknown, done: (error: Error, socket: Duplex) => void) => {
      setImmediate(() => done(Object.assign(new Error('no'), { code: 'ECONNRESET' }), new PassThrough()));
      return undefined;
    };
    const cut: SocketServer['transport'] = {
      ...transport,
      async socket(path, abort) {
        const target = await transport.socket(path, abort);
        return target instanceof Error ? target : { ...target, options: { createConnection } };
      },
    };
    expect(await listen(cut)).toMatchObject({ kind: 'Undelivered' });
  });

  it('by an abort while credentials are loaded, without a connection', async () => {
    const { transport, asked } = await socketServer({ accept: (socket) => socket.send('hello') });
    const stopping = new AbortController();
    const slow: SocketServer['transport'] = {
      ...transport,
      async socket(path, _abort) {
        stopping.abort();
        return transport.socket(path, stopping.signal);
      },
    };
    const message = 'the sweep was stopped';
    expect(await listen(slow, { abort: stopping.signal })).toEqual({ kind: 'Undelivered', message });
    expect(asked).toEqual([]);
  });

  it('by unusable credentials', async () => {
    const { transport } = await socketServer(neverAnswering);
    const message = 'no such file';
    const failing = { ...transport, socket: async () => ({ kind: 'Unauthorized', message }) as const };
    expect(await listen(failing)).toEqual({ kind: 'Undelivered', message });
  });
});

describe('a session that ends later may have delivered everything:', () => {
  const opening = { accept: () => undefined };
  const inTime = { timeout: timeToConnect };
  const tooLong = { accept: (socket: WebSocket) => socket.send(Buffer.alloc(2 ** 21)) };

  // biome-ignore format: one row a line
  it.each<[title: string, does: Parameters<typeof socketServer>[0], wishes: Wishes, says: string, more?: object]>([
    ['by an upgrade to no subprotocol', { ...opening, protocol: false }, {}, 'Server sent no subprotocol'],
    ['by an upgrade to another subprotocol', { ...opening, protocol: 'v9.channel.k8s.io' }, {}, 'Server sent an invalid subprotocol'],
    ['by a timeout', opening, inTime, 'no result within 1.5s (--request-timeout)', { silentNode: true }],
    ['by a frame that is too long', tooLong, {}, 'Max payload size exceeded'],
  ])('%s', async (_title, does, wishes, says, more) => {
    const { transport } = await socketServer(does);
    const message = expect.stringContaining(says);
    expect(await listen(transport, wishes)).toEqual({ kind: 'Unconfirmed', message, ...more });
  });

  it('by an abort', async () => {
    const stopping = new AbortController();
    const { transport } = await socketServer({ accept: () => undefined });
    const talk: Talk<string> = () => stopping.abort();
    const stopped = { kind: 'Unconfirmed', message: 'the sweep was stopped' };
    expect(await listen(transport, { abort: stopping.signal }, talk)).toEqual(stopped);
  });
});
