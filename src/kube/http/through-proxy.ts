import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, isIPv6, type Socket } from 'node:net';
import type { Millis } from '../../duration.ts';
import { printable } from '../../printable.ts';
import { openSocks } from './socks.ts';

/** As long as for a direct connection. */
const patience: Millis = 10_000;

/** A connection to a host that a proxy has opened. Rejects with an Error that names no password. */
export async function throughProxy(proxy: URL, host: string, port: number): Promise<Socket> {
  try {
    return proxy.protocol === 'socks5:'
      ? await throughSocks(proxy, host, port)
      : await tunnel(proxy, host, port);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`the proxy ${proxy.host} gives no connection: ${printable(message)}`);
  }
}

function tunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const { username, password } = credentialsOf(proxy);
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return new Promise((resolve, reject) => {
    const asked = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({
      host: hostOf(proxy),
      port: portOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...(username && { 'proxy-authorization': `Basic ${basic}` }) },
      timeout: patience,
      agent: false,
    });
    asked.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket.setTimeout(0));
      else {
        socket.destroy();
        reject(new Error(`it answered HTTP ${statusCode}`));
      }
    });
    asked.on('timeout', () => asked.destroy(new Error('it does not answer')));
    asked.on('response', ({ statusCode }) => asked.destroy(new Error(`it answered HTTP ${statusCode}`)));
    asked.on('error', reject);
    asked.end();
  });
}

async function throughSocks(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = connect({ host: hostOf(proxy), port: portOf(proxy) });
  const late = () => socket.destroy(new Error('it does not answer'));
  socket.setTimeout(patience, late);
  try {
    await openSocks(socket, { host, port, ...credentialsOf(proxy) });
    return socket.setTimeout(0).off('timeout', late);
  } catch (error) {
    socket.destroy();
    throw error;
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
