import type { Duplex } from 'node:stream';
import { goJson } from './go-json.ts';

/** A client's request as handlers see it, independent of sockets and HTTP libraries. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** The protocol the client wants to upgrade the connection to, if any. */
  readonly upgrade: Upgrade | undefined;
}

export interface Upgrade {
  readonly to: 'websocket' | 'spdy/3.1';
  /** WebSocket subprotocols, or SPDY's `X-Stream-Protocol-Version`, in the client's order. */
  readonly protocols: readonly string[];
}

/** A handler's answer: an HTTP response, a streamed response or an upgraded connection. */
export type Answer =
  | { readonly kind: 'Body'; readonly status: number; readonly headers: Headers; readonly body: string }
  | {
      readonly kind: 'Object';
      readonly status: number;
      readonly headers: Headers;
      readonly encoding: Encoding;
      readonly object: object;
    }
  | { readonly kind: 'Stream'; readonly headers: Headers; readonly open: (sink: Sink) => () => void }
  | {
      readonly kind: 'Channels';
      readonly protocol: string;
      readonly serve: (channels: Channels) => void;
    }
  | {
      readonly kind: 'Bytes';
      readonly protocol: string;
      readonly serve: (connection: Duplex) => void;
    };

/** What an object is sent as. */
export type Encoding = 'Json' | 'Protobuf';

type Headers = Readonly<Record<string, string>>;

/** A response body that is written over time. `open` returns the cleanup for when the client disconnects. */
export interface Sink {
  write(chunk: string | Uint8Array): void;
  end(): void;
}

/** A WebSocket whose binary frames begin with a channel byte, as in exec and port-forward. */
export interface Channels {
  send(channel: number, data: Uint8Array): void;
  close(): void;
  onFrame(listener: (channel: number, data: Buffer) => void): void;
  onClose(listener: () => void): void;
}

export const jsonHeaders = { 'cache-control': 'no-cache, private', 'content-type': 'application/json' };

const headersOf: Readonly<Record<Encoding, Headers>> = {
  Json: jsonHeaders,
  Protobuf: { ...jsonHeaders, 'content-type': 'application/vnd.kubernetes.protobuf' },
};

/** A JSON body with a trailing newline, as Go's encoder writes it. */
export function json(
  status: number,
  body: unknown,
  headers: Headers = {},
): Extract<Answer, { kind: 'Body' }> {
  return { kind: 'Body', status, headers: { ...jsonHeaders, ...headers }, body: `${goJson(body)}\n` };
}

/** Go's `WriteRawJSON`, for the version and for a 406. */
export function indented(status: number, body: object): Answer {
  return { kind: 'Body', status, headers: jsonHeaders, body: JSON.stringify(body, null, 2) };
}

/** An object or a list of objects, in the encoding that the client prefers. */
export function encoded(
  encoding: Encoding,
  status: number,
  object: object,
  headers: Headers = {},
): Extract<Answer, { kind: 'Object' }> {
  return { kind: 'Object', status, headers: { ...headersOf[encoding], ...headers }, encoding, object };
}

export function text(status: number, body: string, headers: Headers = {}): Answer {
  return {
    kind: 'Body',
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body,
  };
}
