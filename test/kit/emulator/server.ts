import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Faults } from './faults.ts';
import type { Backend } from './handlers/api.ts';
import type { RequestRecord } from './requests.ts';
import { createCertificate } from './server/certificate.ts';
import { Front } from './server/front.ts';

/** The API server on a TLS port of the loopback. */
export interface ApiServer {
  readonly url: string;
  /** The CA certificate, in PEM. */
  readonly ca: string;
  readonly requests: readonly RequestRecord[];
  readonly faults: Faults;
  /** How many requests it keeps waiting: for its clock, or for ever. */
  waiting(): number;
  stop(): Promise<void>;
}

/** Starts the server. Port 0 picks a free one. */
export async function startServer(backend: Backend, port = 0): Promise<ApiServer> {
  const certificate = await createCertificate();
  const front = new Front(backend);
  const sockets = new Set<Duplex>();

  // Go accepts headers of 1 MiB, and the path of an exec contains its command.
  const server = createServer({ ...certificate, maxHeaderSize: 1024 * 1024 });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (message, response) => void front.serveHttp(message, response));
  server.on('upgrade', (message, socket, head) => void front.serveUpgrade(message, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${bound}`,
    ca: certificate.cert,
    requests: front.requests,
    faults: front.faults,
    waiting: () => front.waiting.count,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
