import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { type OpenCluster, openCluster } from '../../src/kube/cluster.ts';
import type { ListPart } from '../../src/model/ports.ts';
import type { Problem } from '../../src/model/reading.ts';
import type { Clock } from '../../src/util/time.ts';
import { connectionTo } from '../builders/connection.ts';

export type Answering = (socket: Socket, request: string) => void;

/** A server on the loopback that says any bytes, for what no HTTP library would serve. */
export class RawServer {
  readonly requests: string[] = [];
  connections = 0;
  readonly open = new Set<Socket>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly scheme: string,
  ) {}

  /** With `once`, a connection has one request, and is another protocol's after it, as that of a proxy. */
  static async start(
    answering: Answering,
    { tls, once: isOnce = false }: { readonly tls?: TlsOptions; readonly once?: boolean } = {},
  ): Promise<RawServer> {
    const server = tls ? createTlsServer(tls) : createServer();
    const raw = new RawServer(server, tls ? 'https' : 'http');
    server.on('connection', (socket: Socket) => {
      raw.connections++;
      raw.open.add(socket.on('error', () => undefined));
      socket.once('close', () => raw.open.delete(socket));
    });
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) =>
      raw.#serve(socket, answering, isOnce),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return raw;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.scheme}://${this.host}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #serve(socket: Socket, answering: Answering, isOnce: boolean): void {
    let head = '';
    socket.on('error', () => undefined);
    const hear = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      // A TLS handshake, where HTTP is spoken, is no request; it is answered all the same.
      if (chunk[0] === 0x16) answering(socket, 'a TLS handshake');
      if (!head.includes('\r\n\r\n')) return;
      const request = head;
      head = '';
      if (isOnce) socket.off('data', hear).resume();
      this.requests.push(request);
      answering(socket, request);
    };
    socket.on('data', hear);
  }
}

/** As a proxy, opens the tunnel to this server, whatever host was asked for. */
export function tunnelTo(server: string): Answering {
  return (client) => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    relay(client, server);
  };
}

export function relay(client: Socket, server: string): void {
  const target = connect(Number(new URL(server).port), '127.0.0.1');
  target.on('error', () => undefined).on('close', () => client.destroy());
  client.on('error', () => undefined).on('close', () => target.destroy());
  client.pipe(target).pipe(client);
}

export function wire(
  body: string | Uint8Array,
  { status = '200 OK', headers = '' }: { readonly status?: string; readonly headers?: string } = {},
): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${headers}content-length: ${bytes.length}\r\n\r\n`),
    bytes,
  ]);
}

export const token = 'canary-of-a-token';

/** Pauses take no time. */
const noPauses = (): Clock => {
  let now = 0;
  return {
    now: () => now,
    sleep: async (time) => {
      now += time;
    },
  };
};

/** A cluster at this address, whose requests take no longer than this. */
export function openAt(server: string, timeout = 60_000): Promise<OpenCluster> {
  const connection = connectionTo(server, { user: { token: { kind: 'Text', text: token } } });
  return openCluster(connection, timeout, { pace: { clock: noPauses(), random: () => 1 } });
}

export interface Listed {
  readonly uids: readonly string[];
  readonly malformed: number;
  readonly problem: Problem | undefined;
}

export const { signal: unstopped } = new AbortController();

export async function collect(parts: AsyncIterable<ListPart>): Promise<Listed> {
  const uids: string[] = [];
  let malformed = 0;
  let problem: Problem | undefined;
  for await (const part of parts) {
    if (part.kind === 'Failed') problem = part.problem;
    if (part.kind !== 'Page') continue;
    uids.push(...part.pods.map(({ ref }) => ref.uid), ...part.atWork.map(({ uid }) => uid));
    malformed += part.malformed.length;
  }
  return { uids, malformed, problem };
}

export async function listAt(server: string): Promise<Listed> {
  const cluster = await openAt(server);
  const listed = await collect(cluster.findPods({ namespaces: [], labelSelector: undefined }, unstopped));
  await cluster.close();
  return listed;
}
