import { getEventListeners, once } from 'node:events';
import { type Duplex, PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { CredentialError } from '../../../../src/kube/auth/credentials.ts';
import { openSession, type Talk } from '../../../../src/kube/exec/socket.ts';
import { type SocketServer, socketServer } from '../../../builders/socket-server.ts';

let server: SocketServer | undefined;
afterEach(() => server?.stop());

async function serve(does: Parameters<typeof socketServer>[0]): Promise<SocketServer> {
  server = await socketServer(does);
  return server;
}

/** Long enough for a busy machine to connect. */
const timeToConnect = 1_500;

interface Wishes {
  readonly timeout?: number;
  readonly abort?: AbortSignal;
  readonly resource?: 'pods/exec' | 'pods/portforward';
}

function listen(transport: SocketServer['transport'], wishes: Wishes = {}, talk: Talk<string> = heard) {
  const { resource = 'pods/exec', timeout = 60_000, abort = new AbortController().signal } = wishes;
  const upgrade = { path: '/exec?a=b', resource };
  return openSession({ ...transport, timeout }, upgrade, abort, talk);
}

const heard: Talk<string> = (socket, finish) => {
  socket.on('message', (data) => finish(data.toString()));
};

describe('a session', () => {
  it('requests the path with its subprotocols, and returns the result of the talk', async () => {
    const { transport, asked } = await serve({ accept: (socket) => socket.send('hello') });
    expect(await listen(transport)).toBe('hello');
    expect(asked).toEqual([['/exec?a=b', 'v5.channel.k8s.io,v4.channel.k8s.io']]);
  });

  it('has one result, regardless of further messages', async () => {
    const { transport } = await serve({
      accept(socket) {
        socket.send('first');
        socket.send('second');
        socket.send(Buffer.alloc(2 ** 21));
      },
    });
    expect(await listen(transport)).toBe('first');
  });

  it('leaves no connection and no listener behind', async () => {
    const { transport, accepted } = await serve({ accept: (socket) => socket.send('hello') });
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
    const { transport } = await serve({ refuse: (_request, response) => response.writeHead(404).end(body) });
    expect(await listen(transport)).toEqual({ kind: 'NotThere', message: 'pods "x" not found' });
  });

  it('returns it even if the body is truncated', async () => {
    const { transport } = await serve({
      refuse(request, response) {
        response.writeHead(404, { 'content-length': 1_000 }).write('not found');
        setTimeout(() => request.socket.destroy(), 50);
      },
    });
    expect(await listen(transport)).toEqual({ kind: 'NotThere', message: 'not found' });
  });

  it('times out if the body never ends', async () => {
    const { transport } = await serve({
      refuse: (_request, response) => void response.writeHead(404).write('not found'),
    });
    const message = 'no result within 0.3s (--request-timeout)';
    expect(await listen(transport, { timeout: 300 })).toMatchObject({ kind: 'Undelivered', message });
  });

  it('returns it once it has the beginning of a body that goes on and on', async () => {
    const { transport } = await serve({
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

  it('by a timeout', async () => {
    const { transport } = await serve(neverAnswering);
    const message = 'no result within 0.1s (--request-timeout)';
    const silent = { kind: 'Undelivered', message, silentNode: true };
    expect(await listen(transport, { timeout: 100 })).toEqual(silent);
  });

  // A command may run by then, whose upgrade has not reached us; a tunnel has carried nothing.
  describe.each([
    ['pods/exec', { kind: 'Unconfirmed', unopened: true }],
    ['pods/portforward', { kind: 'Undelivered' }],
  ] as const)('of %s', (resource, result) => {
    it('by an abort', async () => {
      const { transport } = await serve(neverAnswering);
      const stopped = { ...result, message: 'the sweep was stopped' };
      expect(await listen(transport, { abort: AbortSignal.timeout(100), resource })).toEqual(stopped);
    });

    it('by a server that hangs up', async () => {
      const { transport } = await serve({ refuse: (request) => request.socket.destroy() });
      const message = expect.stringContaining('cannot be reached: socket hang up');
      expect(await listen(transport, { resource })).toEqual({ ...result, message });
    });
  });

  it('by a connection that cannot be made', async () => {
    const { transport } = await serve(neverAnswering);
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
    const { transport, asked } = await serve({ accept: (socket) => socket.send('hello') });
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
    const { transport } = await serve(neverAnswering);
    const failing = { ...transport, socket: async () => new CredentialError('no such file') };
    const message = 'the credentials of the kubeconfig cannot be used: no such file';
    expect(await listen(failing)).toEqual({ kind: 'Undelivered', message });
  });
});

describe('a session that ends later may have delivered everything:', () => {
  it.each<readonly [protocol: string | false, says: string]>([
    [false, 'Server sent no subprotocol'],
    ['v9.channel.k8s.io', 'Server sent an invalid subprotocol'],
  ])('by an upgrade to the subprotocol %s', async (protocol, says) => {
    const { transport } = await serve({ accept: () => undefined, protocol });
    const message = expect.stringContaining(says);
    expect(await listen(transport)).toEqual({ kind: 'Unconfirmed', message });
  });

  it('by a timeout', async () => {
    const { transport } = await serve({ accept: () => undefined });
    expect(await listen(transport, { timeout: timeToConnect })).toEqual({
      kind: 'Unconfirmed',
      message: 'no result within 1.5s (--request-timeout)',
      silentNode: true,
    });
  });

  it('by an abort', async () => {
    const stopping = new AbortController();
    const { transport } = await serve({ accept: () => undefined });
    const talk: Talk<string> = () => stopping.abort();
    const stopped = { kind: 'Unconfirmed', message: 'the sweep was stopped' };
    expect(await listen(transport, { abort: stopping.signal }, talk)).toEqual(stopped);
  });

  it('by a frame that is too long', async () => {
    const { transport } = await serve({ accept: (socket) => socket.send(Buffer.alloc(2 ** 21)) });
    const message = expect.stringContaining('Max payload size exceeded');
    expect(await listen(transport)).toMatchObject({ kind: 'Unconfirmed', message });
  });
});
