import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, isIPv6, type Socket } from 'node:net';
import { onAbort } from '../../util/concurrency.ts';
import { printable } from '../../util/text.ts';
import { inTime, type Millis } from '../../util/time.ts';
import { addressOf, loginIn } from '../auth/urls.ts';
import { isBusy, problemOfError } from './answer.ts';

const timeLimit: Millis = 10_000;

/** Rejects with an Error that names no password, and has a code if it may pass. */
export async function throughProxy(
  proxy: URL,
  host: string,
  port: number,
  abort: AbortSignal,
): Promise<Socket> {
  try {
    return await (proxy.protocol === 'socks5:' ? throughSocks : tunnel)(proxy, host, port, abort);
  } catch (error) {
    const { isFleeting } = problemOfError(error, proxy.host);
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    const why = isRefused
      ? 'refuses connections: check proxy-url and HTTPS_PROXY'
      : `does not open a connection: ${printable(error instanceof Error ? error.message : String(error))}`;
    const told = new Error(`the proxy ${proxy.host} ${why}`);
    throw isFleeting ? Object.assign(told, { code: 'EPROXY' }) : told;
  }
}

async function tunnel(proxy: URL, host: string, port: number, abort: AbortSignal): Promise<Socket> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const { username, password } = loginIn(proxy);
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const asked = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({
    ...addressOf(proxy),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(username && { 'proxy-authorization': `Basic ${basic}` }) },
    agent: false,
  });
  const answered = new Promise<Socket>((resolve, reject) => {
    asked.on('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(refused(statusCode));
    });
    asked.on('response', ({ statusCode = 0 }) => asked.destroy(refused(statusCode)));
    asked.on('error', reject);
  });
  asked.end();
  return opened(answered, asked, abort);
}

function refused(status: number): Error {
  return Object.assign(new Error(`it answered HTTP ${status}`), isBusy(status) && { code: 'EBUSY' });
}

async function throughSocks(proxy: URL, host: string, port: number, abort: AbortSignal): Promise<Socket> {
  const { SocksClient } = (await import('socks')).default;
  const { username, password } = loginIn(proxy);
  const to = addressOf(proxy);
  const socket = connect(to);
  // socks keeps only the message of an error, and its code tells whether it may pass.
  const failed = new Promise<never>((_, reject) => socket.once('error', reject));
  const through = once(socket, 'connect').then(() =>
    SocksClient.createConnection({
      proxy: { ...to, type: 5, ...(username && { userId: username, password }) },
      destination: { host, port },
      command: 'connect',
      existing_socket: socket,
    }),
  );
  try {
    await opened(Promise.race([failed, through]), socket, abort);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Gives up what takes too long, even if a byte comes now and then, and what is no longer waited for. */
export function opened<T>(
  work: Promise<T>,
  connection: { destroy(error: Error): unknown },
  abort: AbortSignal,
): Promise<T> {
  const late = Object.assign(new Error('it does not answer'), { code: 'ETIMEDOUT' });
  return inTime(timeLimit, late, abort, (ending) => {
    onAbort(ending, () => connection.destroy(ending.reason));
    return work;
  });
}
