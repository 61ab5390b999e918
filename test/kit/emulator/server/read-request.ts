import type { IncomingMessage } from 'node:http';
import type { ApiRequest, Upgrade } from '../handlers/answer.ts';

const maxBodyBytes = 3 * 1024 * 1024;

/** Reads an HTTP request into its form for handlers; undefined if the body is too large. */
export async function readRequest(message: IncomingMessage): Promise<ApiRequest | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += (chunk as Buffer).length;
    if (size <= maxBodyBytes) chunks.push(chunk as Buffer);
  }
  return size > maxBodyBytes ? undefined : describeRequest(message, Buffer.concat(chunks));
}

/** Converts a request; an upgrade has no body. */
export function describeRequest(message: IncomingMessage, body: Buffer = Buffer.alloc(0)): ApiRequest {
  const url = new URL(message.url ?? '/', 'https://kubernetes.default.svc');
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers,
    body,
    upgrade: readUpgrade(headers),
  };
}

function readUpgrade(headers: ApiRequest['headers']): Upgrade | undefined {
  const split = (value = '') =>
    value
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean);
  switch (headers['upgrade']?.toLowerCase()) {
    case 'websocket':
      return { to: 'websocket', protocols: split(headers['sec-websocket-protocol']) };
    case 'spdy/3.1':
      return { to: 'spdy/3.1', protocols: split(headers['x-stream-protocol-version']) };
    default:
      return undefined;
  }
}
