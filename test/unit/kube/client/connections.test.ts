import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { expect, it } from 'vitest';
import { Connections } from '../../../../src/kube/client/connections.ts';
import { startEmulator } from '../../../kit/emulator/index.ts';
import { startedOnce } from '../../../kit/started.ts';

const emulator = startedOnce(() => startEmulator());

it('connections for WebSockets to a server of unknown issuer are refused, every time, and none is left once they are closed', async () => {
  const tls = { ca: undefined, serverName: undefined, insecure: false };
  const connections = new Connections({ server: emulator.url, tls, proxy: undefined });
  const distrustful = createSecureContext({});
  const open = () =>
    new Promise<Duplex>((resolve, reject) => {
      connections.open(distrustful, (error, socket) => (error ? reject(error) : resolve(socket)));
    });
  await expect(open()).rejects.toThrow('certificate');
  await expect(open()).rejects.toThrow('certificate');
  connections.close();
  await expect(open()).rejects.toThrow('interrupted');
});
