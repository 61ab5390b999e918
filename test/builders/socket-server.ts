import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketOpener } from '../../src/kube/client/transport.ts';
import { listening } from './listening.ts';

export interface SocketServer {
  /** The transport that connects to it. */
  readonly transport: SocketOpener;
  /** The path and the subprotocols of every request. */
  readonly asked: readonly (readonly [path: string | undefined, protocols: string | undefined])[];
  /** The server side of each WebSocket. */
  readonly accepted: readonly WebSocket[];
}

interface Accepting {
  readonly accept: (socket: WebSocket) => void;
  /** Which subprotocol it answers with; `false` for none. By default the first that is offered. */
  readonly protocol?: string | false;
}

export function frame(channel: number, text: string | Uint8Array = ''): Buffer {
  return Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
}

/** A transport that connects to this host of the loopback. */
export function openerTo(host: string): SocketOpener {
  return {
    redact: (text) => text,
    timeout: 60_000,
    server: `http://${host}`,
    socket: async (path) => ({ url: `ws://${host}${path}`, options: {}, renewed: async () => undefined }),
  };
}

/** A server on the loopback that accepts every upgrade, or refuses it with a normal answer, until its test has ended. */
export async function socketServer(
  does: Accepting | { readonly refuse: RequestListener },
): Promise<SocketServer> {
  const server = createServer();
  const asked: [string | undefined, string | undefined][] = [];
  const accepted: WebSocket[] = [];
  server.on('accept' in does ? 'upgrade' : 'request', ({ url, headers }) => {
    asked.push([url, headers['sec-websocket-protocol']]);
  });
  if ('accept' in does) {
    const { protocol } = does;
    const handleProtocols = (offered: Set<string>) => protocol ?? [...offered][0] ?? false;
    new WebSocketServer({ server, handleProtocols }).on('connection', (socket) => {
      accepted.push(socket);
      // A client that has its result disconnects without a close frame.
      does.accept(socket.on('error', () => undefined));
    });
  } else {
    server.on('request', does.refuse);
  }
  const port = await listening(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { transport: openerTo(`127.0.0.1:${port}`), asked, accepted };
}
