import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { beforeEach, describe, expect, it } from 'vitest';
import { Connections } from '../../../../src/kube/client/connections.ts';
import { startEmulator } from '../../../kit/emulator/index.ts';
import { startedOnce } from '../../../kit/started.ts';

const emulator = startedOnce(() => startEmulator());
let connections: Connections;
let trusted: SecureContext;

beforeEach(() => {
  const tls = { ca: undefined, serverName: undefined, insecure: false };
  connections = new Connections({ server: emulator.url, tls, proxy: undefined });
  trusted = createSecureContext({ ca: emulator.ca });
});

function open(secureContext = trusted): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    connections.open(secureContext, (error: Error | null, socket: Duplex) => {
      if (error) reject(error);
      else if (socket instanceof TLSSocket) resolve(socket);
    });
  });
}

async function isReused(socket: TLSSocket): Promise<boolean> {
  if (!socket.isSessionReused()) await once(socket.resume(), 'session');
  const reused = socket.isSessionReused();
  socket.destroy();
  return reused;
}

describe('connections for WebSockets', () => {
  it('go on with the TLS session of the one before, which saves most of the handshake', async () => {
    expect(await isReused(await open())).toBe(false);
    expect(await isReused(await open())).toBe(true);
  });

  it('share no session with another certificate', async () => {
    expect(await isReused(await open())).toBe(false);
    expect(await isReused(await open(createSecureContext({ ca: emulator.ca })))).toBe(false);
  });

  it('to a server of unknown issuer are refused, every time', async () => {
    const distrustful = createSecureContext({});
    await expect(open(distrustful)).rejects.toThrow('certificate');
    await expect(open(distrustful)).rejects.toThrow('certificate');
  });
});
