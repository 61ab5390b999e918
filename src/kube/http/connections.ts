import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import type { Connection } from '../kubeconfig/connection.ts';
import { throughProxy } from './through-proxy.ts';

type Connect = ReturnType<typeof buildConnector>;

/** Connections to an API server, directly or through a proxy. Those of one certificate are kept and shared. */
export class Connections {
  readonly #agents: { readonly secureContext: SecureContext; readonly agent: Agent }[] = [];

  constructor(private readonly connection: Pick<Connection, 'server' | 'tls' | 'proxy'>) {}

  /** For requests. A certificate that was replaced keeps its connections until they are idle. */
  agent(secureContext: SecureContext): Agent {
    const known = this.#agents.find((each) => each.secureContext === secureContext);
    if (known) return known.agent;
    const agent = new Agent({ connect: this.#connector(secureContext) });
    this.#agents.push({ secureContext, agent });
    return agent;
  }

  /** Opens a connection of its own, as for a WebSocket; `createConnection` of node:http. */
  open(secureContext: SecureContext, done: (error: Error | null, socket: Duplex) => void): undefined {
    const { protocol, hostname, host, port } = new URL(this.connection.server);
    const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port };
    // node:http does not look at the socket if there is an error.
    this.#connector(secureContext)(target, done as buildConnector.Callback);
  }

  async close(): Promise<void> {
    await Promise.all(this.#agents.map(({ agent }) => agent.destroy()));
  }

  #connector(secureContext: SecureContext): Connect {
    const { tls, proxy } = this.connection;
    // Never left to NODE_TLS_REJECT_UNAUTHORIZED.
    const direct = buildConnector({ secureContext, rejectUnauthorized: !tls.insecure, allowH2: false });
    const connect: Connect = (options, done) =>
      direct(tls.serverName === undefined ? options : { ...options, servername: tls.serverName }, done);
    if (!proxy) return connect;
    return (options, done) => {
      const port = options.port || (options.protocol === 'https:' ? '443' : '80');
      throughProxy(proxy, options.hostname, Number(port)).then(
        (socket) => {
          if (options.protocol === 'https:') connect({ ...options, httpSocket: socket }, done);
          else done(null, socket);
        },
        (error) => done(error, null),
      );
    };
  }
}
