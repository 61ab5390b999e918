import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { onAbort } from '../../util/concurrency.ts';
import { printable } from '../../util/text.ts';
import type { Millis } from '../../util/time.ts';
import { isBusy, problemOfError } from './answer.ts';

/** As long as for a direct connection. */
const patience: Millis = 10_000;

/** A connection to a host that a proxy has opened. Rejects with an Error that names no password, and has a code if it may pass. */
export async function throughProxy(
  proxy: URL,
  host: string,
  port: number,
  abort: AbortSignal,
): Promise<Socket> {
  try {
    return proxy.protocol === 'socks5:'
      ? await throughSocks(proxy, host, port, abort)
      : await tunnel(proxy, host, port, abort);
  } catch (error) {
    const told = new Error(`the proxy ${proxy.host} ${whyNot(error)}`);
    const { isFleeting } = problemOfError(error, proxy.host);
    throw isFleeting ? Object.assign(told, { code: 'EPROXY' }) : told;
  }
}

function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return `gives no connection: ${printable(String(error))}`;
  return 'code' in error && error.code === 'ECONNREFUSED'
    ? 'refuses connections: check proxy-url and HTTPS_PROXY'
    : `gives no connection: ${printable(error.message)}`;
}

async function tunnel(proxy: URL, host: string, port: number, abort: AbortSignal): Promise<Socket> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const { username, password } = credentialsOf(proxy);
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const asked = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({
    host: hostOf(proxy),
    port: portOf(proxy),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(username && { 'proxy-authorization': `Basic ${basic}` }) },
    agent: false,
  });
  const answered = new Promise<Socket>((resolve, reject) => {
    asked.on('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(refused(statusCode));
      }
    });
    asked.on('response', ({ statusCode = 0 }) => asked.destroy(refused(statusCode)));
    asked.on('error', reject);
  });
  asked.end();
  return inTime(answered, asked, abort);
}

function refused(status: number): Error {
  return Object.assign(new Error(`it answered HTTP ${status}`), isBusy(status) && { code: 'EBUSY' });
}

async function throughSocks(proxy: URL, host: string, port: number, abort: AbortSignal): Promise<Socket> {
  const socket = connect({ host: hostOf(proxy), port: portOf(proxy) });
  try {
    await inTime(openSocks(socket, { host, port, ...credentialsOf(proxy) }), socket, abort);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Gives up what takes too long, even if a byte comes now and then, and what nobody waits for any more. */
async function inTime<T>(
  work: Promise<T>,
  connection: { destroy(error: Error): unknown },
  abort: AbortSignal,
): Promise<T> {
  const late = () =>
    connection.destroy(Object.assign(new Error('it does not answer'), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(late, patience);
  const leave = onAbort(abort, () => connection.destroy(new Error('closed')));
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    leave();
  }
}

function credentialsOf({ username, password }: URL) {
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function portOf({ protocol, port }: URL): number {
  return Number(port) || { 'https:': 443, 'socks5:': 1080 }[protocol] || 80;
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

/** Asks a SOCKS5 proxy for a connection (RFC 1928, RFC 1929); the proxy looks the name up. */
export async function openSocks(socket: Socket, { host, port, username, password }: Target): Promise<void> {
  const read = reader(socket);
  socket.write(Buffer.from(username ? [5, 2, 0, 2] : [5, 1, 0]));
  const [, method] = await read(2);
  if (method === 2) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]));
    const [, refused] = await read(2);
    if (refused !== 0) throw new Error('it does not accept the password');
  } else if (method !== 0) throw new Error('it does not accept this kind of authentication');
  const portBytes = Buffer.from([port >> 8, port & 255]);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), address(host), portBytes]));
  const [, reply, , kind] = await read(4);
  if (reply !== 0) throw new Error(`it refuses (SOCKS reply ${reply})`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await read(1))[0] ?? 0);
  await read(length + 2);
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name or password is too long for SOCKS');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function address(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  return Buffer.concat([Buffer.from([3]), counted(host)]);
}

/** Reads exactly so many bytes, so that those that follow are left to whoever uses the connection. */
function reader(socket: Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    for (;;) {
      const bytes: Buffer | null = socket.read(count);
      if (bytes?.length === count) return bytes;
      if (socket.readableEnded) throw new Error('it closed the connection');
      await Promise.race([once(socket, 'readable'), once(socket, 'end')]);
    }
  };
}
