import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a proxy makes of a request for a tunnel, by how many came before. */
export type Proxying = (socket: Socket, index: number) => void;

/** A proxy on the loopback. */
export class FakeProxy {
  /** The heads of what it was asked. */
  readonly asked: string[] = [];
  readonly open = new Set<Socket>();

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(proxying: Proxying): Promise<FakeProxy> {
    const server = createServer();
    const proxy = new FakeProxy(server);
    server.on('connection', (socket) => {
      proxy.open.add(socket.on('error', () => undefined));
      socket.once('close', () => proxy.open.delete(socket));
      socket.once('data', (head: Buffer) => proxying(socket, proxy.asked.push(head.toString('latin1')) - 1));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Opens the tunnel to this server, whatever host was asked for. */
export function tunnelTo(server: string): (socket: Socket) => void {
  return (client) => {
    const target = connect(Number(new URL(server).port), '127.0.0.1');
    target.on('error', () => undefined).on('close', () => client.destroy());
    client.on('close', () => target.destroy());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(target).pipe(client);
  };
}
