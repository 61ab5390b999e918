import { once } from 'node:events';
import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, connect as openTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as openTls, type SecureContext } from 'node:tls';
import type { Millis } from '../../util/time.ts';
import type { Connection } from '../auth/connection.ts';
import { addressOf } from '../auth/urls.ts';
import { opened, throughProxy } from './proxy.ts';

type Done = (error: Error | null, socket: Duplex) => void;

/** Shorter than any server or balancer keeps an idle connection, so that none is used that is about to close. */
const idleTimeout: Millis = 4_000;
const keptOpen = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 } as const;

/** Connections of one certificate are kept and shared. */
export class Connections {
  readonly #agents = new Map<SecureContext, Agent>();
  /** The TLS session of the connection before, so that only the first one needs a whole handshake. */
  readonly #sessions = new Map<SecureContext, Buffer>();
  readonly #closed = new AbortController();

  constructor(private readonly connection: Pick<Connection, 'server' | 'tls' | 'proxy'>) {}

  /** A certificate that was replaced keeps its connections until they are idle. */
  agent(secureContext: SecureContext): Agent {
    const known = this.#agents.get(secureContext);
    if (known) return known;
    const Kind = this.connection.server.startsWith('https:') ? HttpsAgent : HttpAgent;
    const agent = new Kind({ keepAlive: true, timeout: idleTimeout });
    const createConnection = (_options: unknown, done: Done) => this.open(secureContext, done);
    // All of its connections lead to one server, for which Node would build a name from two dozen options for each request.
    this.#agents.set(secureContext, Object.assign(agent, { createConnection, getName: () => '' }));
    return agent;
  }

  /** As `createConnection` of node:http. */
  open(secureContext: SecureContext, done: Done): undefined {
    this.#connect(secureContext).then(
      (socket) => done(null, socket),
      // node:http does not look at the socket if there is an error.
      (error) => done(error, undefined as never),
    );
  }

  close(): void {
    this.#closed.abort();
    for (const agent of this.#agents.values()) agent.destroy();
  }

  async #connect(secureContext: SecureContext): Promise<Socket> {
    const { server, tls, proxy } = this.connection;
    const url = new URL(server);
    const isSecure = url.protocol === 'https:';
    const { host, port } = addressOf(url);
    const { signal } = this.#closed;
    const tunnel = proxy && (await throughProxy(proxy, host, port, signal));
    if (!isSecure) return tunnel ?? ready(openTcp({ host, port, ...keptOpen }), 'connect', signal);
    const servername = tls.serverName ?? (isIP(host) ? undefined : host);
    const socket = openTls({
      host,
      port,
      ...keptOpen,
      secureContext,
      session: this.#sessions.get(secureContext),
      // Never left to NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: !tls.insecure,
      ALPNProtocols: ['http/1.1'],
      ...(servername !== undefined && { servername }),
      ...(tunnel && { socket: tunnel }),
    });
    socket.on('session', (session) => this.#sessions.set(secureContext, session));
    return ready(socket, 'secureConnect', signal);
  }
}

async function ready(socket: Socket, event: 'connect' | 'secureConnect', closed: AbortSignal) {
  await opened(once(socket, event), socket, closed);
  return socket;
}
