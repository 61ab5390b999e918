import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands before the server of one client, so that its connections can break without those of others. */
export class BreakableProxy {
  readonly #sockets = new Set<Socket>();
  #server: Server;

  private constructor(
    private readonly port: number,
    private readonly target: number,
    server: Server,
  ) {
    this.#server = server;
  }

  static async open(server: string): Promise<BreakableProxy> {
    const target = Number(new URL(server).port);
    const listener = createServer();
    const port = await listen(listener, 0);
    const proxy = new BreakableProxy(port, target, listener);
    proxy.#serve();
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Ends every connection in the midst of what it says. */
  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The same with a reset. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Ends every connection, and refuses new ones. */
  shut(): void {
    this.#server.close();
    this.end();
  }

  async reopen(): Promise<void> {
    this.#server = createServer();
    this.#serve();
    await listen(this.#server, this.port);
  }

  #serve(): void {
    this.#server.on('connection', (client) => {
      const server = connect(this.target, '127.0.0.1');
      this.#sockets.add(client.once('close', () => this.#sockets.delete(client)));
      client.on('error', () => {}).on('close', () => server.destroy());
      server.on('error', () => {}).on('close', () => client.destroy());
      client.pipe(server).pipe(client);
    });
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
