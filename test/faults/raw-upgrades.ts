import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { SocketOpener } from '../../src/kube/client/transport.ts';
import { exec } from '../../src/kube/exec/exec.ts';
import { requestThroughPod } from '../../src/kube/exec/tunnel.ts';
import type { ExecResult, HttpResult } from '../../src/model/ports.ts';
import { openerTo } from '../builders/socket-server.ts';
import { quit } from '../kit/stuck-pods.ts';
import { RawServer } from './raw-server.ts';

export interface UpgradeServer {
  readonly transport: SocketOpener;
  stop(): Promise<void>;
}

/** A server that answers each request for an upgrade with whatever bytes a test writes. */
export async function upgradeServer(
  answer: (socket: Socket, upgraded: Buffer) => void,
): Promise<UpgradeServer> {
  const server = await RawServer.start((socket, request) => answer(socket.setNoDelay(), upgradeOf(request)), {
    once: true,
  });
  return { transport: openerTo(server.host), stop: () => server.stop() };
}

const pod = { namespace: 'demo', name: 'work', uid: 'uid-1' };
const asked = { method: 'POST', ...quit, headers: {}, statuses: [] };
const { signal } = new AbortController();

/** What the program gets from it, by exec or through a port-forward. */
export const ways = {
  exec: ({ transport }: UpgradeServer, timeout = 60_000): Promise<ExecResult> =>
    exec({ ...transport, timeout }, pod, 'sidecar', ['true'], signal),
  portforward: ({ transport }: UpgradeServer, timeout = 60_000): Promise<HttpResult> =>
    requestThroughPod({ ...transport, timeout }, pod, asked, signal),
};

export type Way = keyof typeof ways;

/** The answer that accepts a request for an upgrade (RFC 6455, 4.2.2). */
function upgradeOf(head: string): Buffer {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  const key = `${header('sec-websocket-key')}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const [protocol] = header('sec-websocket-protocol').split(',');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}`,
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9 } as const;

interface Header {
  readonly opcode?: number;
  /** Whether the message ends with it. */
  readonly isLast?: boolean;
  /** Says that the payload is compressed. */
  readonly compressed?: boolean;
  /** What it says of its length; by default the truth. */
  readonly length?: number;
}

/** A message as a server sends it (RFC 6455, 5.2). */
export function wire(payload: Uint8Array | string, header: Header = {}): Buffer {
  const { opcode = opcodes.binary, isLast = true, compressed = false } = header;
  const bytes = Buffer.from(payload);
  const length = header.length ?? bytes.length;
  const start = Buffer.alloc(10);
  start[0] = (isLast ? 0x80 : 0) | (compressed ? 0x40 : 0) | opcode;
  start[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (start[1] === 126) start.writeUInt16BE(length, 2);
  if (start[1] === 127) start.writeBigUInt64BE(BigInt(length), 2);
  const size = start[1] === 127 ? 10 : start[1] === 126 ? 4 : 2;
  return Buffer.concat([start.subarray(0, size), bytes]);
}
