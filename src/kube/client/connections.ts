import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, connect as openTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as openTls, type SecureContext } from 'node:tls';
import type { Millis } from '../../util/time.ts';
import type { Connection } from '../auth/connection.ts';
import { throughProxy } from './proxy.ts';

type Done = (error: Error | null, socket: Duplex) => void;

const connectTimeout: Millis = 10_000;
/** Shorter than any server or balancer keeps an idle connection, so that none is used that is about to close. */
const idleTimeout: Millis = 4_000;
const keptOpen = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 } as const;

interface Destination {
  readonly isSecure: boolean;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

/** What is kept for one certificate. */
interface Kept {
  readonly secureContext: SecureContext;
  readonly agent: Agent;
  /** The TLS session of the connection before, so that only the first one needs a whole handshake. */
  session: Buffer | undefined;
}

/** Connections to an API server, directly or through a proxy. Those of one certificate are kept and shared. */
export class Connections {
  readonly #to: Destination;
  readonly #kept: Kept[] = [];
  readonly #open = new Set<Duplex>();
  readonly #opening = new Set<Socket>();
  readonly #closed = new AbortController();

  constructor(private readonly connection: Pick<Connection, 'server' | 'tls' | 'proxy'>) {
    this.#to = destinationOf(connection.server);
  }

  /** For requests. A certificate that was replaced keeps its connections until they are idle. */
  agent(secureContext: SecureContext): Agent {
    return this.#of(secureContext).agent;
  }

  /** Opens a connection of its own, as for a WebSocket; `createConnection` of node:http. */
  open(secureContext: SecureContext, done: Done): undefined {
    this.#connect(this.#of(secureContext)).then(
      (socket) => done(null, this.#counted(socket)),
      // node:http does not look at the socket if there is an error.
      (error) => done(error, undefined as never),
    );
  }

  close(): void {
    this.#closed.abort();
    for (const { agent } of this.#kept) agent.destroy();
    for (const socket of this.#opening) socket.destroy(new Error('closed'));
  }

  #of(secureContext: SecureContext): Kept {
    const known = this.#kept.find((each) => each.secureContext === secureContext);
    if (known) return known;
    const Kind = this.#to.isSecure ? HttpsAgent : HttpAgent;
    const agent = new Kind({ keepAlive: true, timeout: idleTimeout });
    const createConnection = (_options: unknown, done: Done) => this.open(secureContext, done);
    // All of its connections lead to one server, for which Node would build a name from two dozen options for each request.
    const own = { createConnection, getName: () => '' };
    const kept = { secureContext, agent: Object.assign(agent, own), session: undefined };
    this.#kept.push(kept);
    return kept;
  }

  #counted(socket: Socket): Socket {
    this.#open.add(socket);
    return socket.once('close', () => this.#open.delete(socket));
  }

  async #connect(kept: Kept): Promise<Socket> {
    const { tls, proxy } = this.connection;
    const { isSecure, host, port } = this.#to;
    const tunnel = proxy && (await throughProxy(proxy, host, port, this.#closed.signal));
    if (!isSecure) return tunnel ?? this.#whenOpen(openTcp({ host, port, ...keptOpen }), 'connect');
    const servername = tls.serverName ?? (isIP(host) ? undefined : host);
    const socket = openTls({
      host,
      port,
      ...keptOpen,
      secureContext: kept.secureContext,
      session: kept.session,
      // Never left to NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: !tls.insecure,
      ALPNProtocols: ['http/1.1'],
      ...(servername !== undefined && { servername }),
      ...(tunnel && { socket: tunnel }),
    });
    socket.on('session', (session) => {
      kept.session = session;
    });
    return this.#whenOpen(socket, 'secureConnect');
  }

  async #whenOpen(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
    this.#opening.add(socket);
    try {
      return await opened(socket, event);
    } finally {
      this.#opening.delete(socket);
    }
  }
}

function destinationOf(server: string): Destination {
  const { protocol, hostname, port } = new URL(server);
  const isSecure = protocol === 'https:';
  return { isSecure, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 443 : 80) };
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const late = () =>
      socket.destroy(Object.assign(new Error('the connection takes too long'), { code: 'ETIMEDOUT' }));
    socket.setTimeout(connectTimeout, late);
    socket.once('error', reject);
    socket.once(event, () => {
      socket.off('error', reject);
      resolve(socket.setTimeout(0).off('timeout', late));
    });
  });
}
