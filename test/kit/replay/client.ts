import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import type { Exchange, Frame, RecordedRequest, Response } from './recording.ts';

export interface Target {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The body has one JSON value per line, like a watch. */
  readonly lines?: boolean;
  /** Text to send on a channel once the server has sent this many frames. */
  readonly send?: { readonly channel: number; readonly text: string; readonly afterFrames: number };
}

/** Sends a recorded request and records the answer as the recorder did. */
export function exchange(
  target: Target,
  recorded: RecordedRequest,
  options: SendOptions = {},
): Promise<Exchange> {
  return recorded.protocols ? overWebSocket(target, recorded, options) : overHttp(target, recorded, options);
}

async function overHttp(
  { url, ca, token }: Target,
  recorded: RecordedRequest,
  { headers, lines }: SendOptions,
): Promise<Exchange> {
  const { method, path, body } = recorded;
  const ofBody = body !== undefined && {
    'content-type': contentType(method, path, body),
    'content-length': String(Buffer.byteLength(body)),
  };
  const all = { authorization: `Bearer ${token}`, ...ofBody, ...recorded.headers, ...headers };
  const sent = request(`${url}${path}`, { method, ca, agent: false, headers: all });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const packed = response.headers['content-encoding'] === 'gzip';
  return {
    request: recorded,
    status: response.statusCode ?? 0,
    headers: recordedHeaders(response.rawHeaders),
    ...bodyOf(packed ? gunzipSync(bytes) : bytes, response.headers['content-type'], lines),
  };
}

function bodyOf(
  bytes: Buffer,
  type: string | undefined,
  lines = false,
): Pick<Exchange, 'body' | 'bodyBase64'> {
  if (type === 'application/vnd.kubernetes.protobuf') return { bodyBase64: bytes.toString('base64') };
  const text = bytes.toString();
  if (!lines) return { body: type === 'application/json' ? JSON.parse(text) : text };
  const events = text.trim().split('\n');
  return { body: events.map((line) => JSON.parse(line)) };
}

function contentType(method: string, path: string, body: string): string {
  if (method !== 'PATCH') return 'application/json';
  if (body.startsWith('[')) return 'application/json-patch+json';
  return path.includes('/ephemeralcontainers')
    ? 'application/strategic-merge-patch+json'
    : 'application/merge-patch+json';
}

function overWebSocket(
  { url, ca, token }: Target,
  recorded: RecordedRequest,
  { send }: SendOptions,
): Promise<Exchange> {
  const socket = new WebSocket(`${url}${recorded.path}`, [...(recorded.protocols ?? [])], {
    ca,
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  const frames: Frame[] = [];
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('unexpected-response', async (_sent, response) => {
      const type = response.headers['content-type'];
      const refusal: Response = {
        status: response.statusCode ?? 0,
        ...(type === undefined ? {} : { contentType: type }),
        headers: recordedHeaders(response.rawHeaders),
        body: Buffer.concat(await response.toArray()).toString(),
      };
      resolve({ request: recorded, frames, response: refusal });
    });
    socket.on('message', (message: Buffer, binary) => {
      const [channel = -1] = message;
      frames.push({ binary, channel, text: message.subarray(1).toString() });
      if (send && frames.length === send.afterFrames) {
        socket.send(Buffer.concat([Buffer.from([send.channel]), Buffer.from(send.text)]));
        frames.push({ sent: send.channel, text: send.text });
      }
    });
    socket.once('close', (code, reason) => {
      const upgrade = { status: 101, protocol: socket.protocol };
      resolve({ request: recorded, frames, upgrade, close: { code, reason: reason.toString() } });
    });
  });
}

/** The headers that the recorder omitted. */
const notRecorded = new Set(['date', 'audit-id']);

function recordedHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? '';
    if (!notRecorded.has(name)) headers[name] = raw[index + 1] ?? '';
  }
  return headers;
}
