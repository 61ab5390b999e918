import { once } from 'node:events';
import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, connect as openTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as openTls, type SecureContext } from 'node:tls';
import type { Millis } from '../../util/time.ts';
import type { Connection } from '../auth/connection.ts';
import { addressOf } from '../auth/urls.ts';
import { inTime, throughProxy } from './proxy.ts';

type Done = (error: Error | null, socket: Duplex) => void;

/** Shorter than any server or balancer keeps an idle connection, so that none is used that is about to close. */
const idleTimeout: Millis = 4_000;
const keptOpen = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 } as const;

interface Kept {
  readonly secureContext: SecureContext;
  readonly agent: Agent;
  /** The TLS session of the connection before, so that only the first one needs a whole handshake. */
  session: Buffer | undefined;
}

/** Connections of one certificate are kept and shared. */
export class Connections {
  readonly #kept: Kept[] = [];
  readonly #closed = new AbortController();

  constructor(private readonly connection: Pick<Connection, 'server' | 'tls' | 'proxy'>) {}

  /** A certificate that was replaced keeps its connections until they are idle. */
  agent(secureContext: SecureContext): Agent {
    return this.#of(secureContext).agent;
  }

  /** As `createConnection` of node:http. */
  open(secureContext: SecureContext, done: Done): undefined {
    this.#connect(this.#of(secureContext)).then(
      (socket) => done(null, socket),
      // node:http does not look at the socket if there is an error.
      (error) => done(error, undefined as never),
    );
  }

  close(): void {
    this.#closed.abort();
    for (const { agent } of this.#kept) agent.destroy();
  }

  #of(secureContext: SecureContext): Kept {
    const known = this.#kept.find((each) => each.secureContext === secureContext);
    if (known) return known;
    const Kind = this.connection.server.startsWith('https:') ? HttpsAgent : HttpAgent;
    const agent = new Kind({ keepAlive: true, timeout: idleTimeout });
    const createConnection = (_options: unknown, done: Done) => this.open(secureContext, done);
    // All of its connections lead to one server, for which Node would build a name from two dozen options for each request.
    const own = { createConnection, getName: () => '' };
    const kept = { secureContext, agent: Object.assign(agent, own), session: undefined };
    this.#kept.push(kept);
    return kept;
  }

  async #connect(kept: Kept): Promise<Socket> {
    const { server, tls, proxy } = this.connection;
    const url = new URL(server);
    const isSecure = url.protocol === 'https:';
    const { host, port } = addressOf(url);
    const { signal } = this.#closed;
    const tunnel = proxy && (await throughProxy(proxy, host, port, signal));
    if (!isSecure) return tunnel ?? opened(openTcp({ host, port, ...keptOpen }), 'connect', signal);
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
    return opened(socket, 'secureConnect', signal);
  }
}

async function opened(socket: Socket, event: 'connect' | 'secureConnect', closed: AbortSignal) {
  await inTime(once(socket, event), socket, closed);
  return socket;
}
