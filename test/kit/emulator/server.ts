import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { generate } from 'selfsigned';
import type { Faults, RequestRecord } from './faults.ts';
import type { Backend } from './handlers/call.ts';
import { Front } from './server/front.ts';
import { apiServiceIP } from './world/runtime/runtime.ts';

interface ApiServer {
  readonly url: string;
  readonly ca: string;
  readonly requests: readonly RequestRecord[];
  readonly faults: Faults;
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
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

async function createCertificate(): Promise<Certificate> {
  const now = Date.now();
  const day = 24 * 60 * 60 * 1000;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'kube-apiserver' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // A test's clock may lag behind by minutes; clients use their own.
    notBeforeDate: new Date(now - day),
    notAfterDate: new Date(now + day),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: 'kubernetes.default.svc' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: apiServiceIP },
        ],
      },
    ],
  });
  return { key, cert };
}
