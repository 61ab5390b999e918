import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { listening } from '../builders/listening.ts';
import type { Pair } from './certificates.ts';

export interface Received {
  /** The name that the client asks the server to prove. */
  readonly serverName: string | false | null | undefined;
  /** The name in the client's certificate. */
  readonly certificate: string | string[] | undefined;
  /** The headers that say who the client is, as they came, in the order of their names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** What a proxy was asked for before. */
  readonly proxied: readonly Proxied[];
}

export interface Proxied {
  readonly host: string | undefined;
  readonly authorization: string | undefined;
}

/** An API server and proxies to it, all on the loopback, that write down what they are asked. */
export class Recorder {
  #requests: Received[] = [];
  #proxied: Proxied[] = [];

  private constructor(
    private readonly servers: readonly Server[],
    readonly ports: { readonly https: number; readonly http: number; readonly proxy: number },
  ) {}

  static async start(server: Pair): Promise<Recorder> {
    const https = createHttpsServer({ ...server, requestCert: true, rejectUnauthorized: false });
    const [http, proxy] = [createHttpServer(), createHttpServer()];
    const ports = {
      https: await listening(https),
      http: await listening(http),
      proxy: await listening(proxy),
    };
    const recorder = new Recorder([https, http, proxy], ports);
    for (const api of [https, http]) {
      api.on('request', (request, response) => {
        recorder.#record(request);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
      api.on('upgrade', (request, socket) => {
        recorder.#record(request);
        socket.end('HTTP/1.1 403 Refused\r\nConnection: close\r\n\r\n');
      });
    }
    proxy.on('connect', (request, socket) => recorder.#forward(request, socket as Socket));
    return recorder;
  }

  take(): readonly Received[] {
    this.#proxied = [];
    return this.#requests.splice(0);
  }

  stop(): void {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  #record({ url, rawHeaders, socket }: IncomingMessage): void {
    // Some builds of kubectl first ask for the server's version.
    if (url?.includes('/version')) return;
    const tls = socket as Partial<TLSSocket>;
    this.#requests.push({
      serverName: tls.servername,
      certificate: tls.getPeerCertificate?.().subject?.CN,
      headers: identityOf(rawHeaders),
      proxied: this.#proxied,
    });
  }

  #forward({ url, headers }: IncomingMessage, client: Socket): void {
    this.#proxied = [{ host: url, authorization: headers['proxy-authorization'] }];
    const upstream = connect(this.ports.https, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy());
  }
}

function identityOf(raw: readonly string[]): Received['headers'] {
  const pairs = raw.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? ''] as const] : [],
  );
  return pairs
    .filter(([name]) => name === 'authorization' || name.startsWith('impersonate-'))
    .sort(([one], [other]) => one.localeCompare(other));
}
