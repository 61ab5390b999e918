import type { Duplex } from 'node:stream';
import { goJson } from './go-json.ts';

/** What a client asked for, as handlers see it: no socket, no HTTP library. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** What the client asked the connection to become, if anything. */
  readonly upgrade: Upgrade | undefined;
}

export interface Upgrade {
  readonly to: 'websocket' | 'spdy/3.1';
  /** WebSocket subprotocols, or SPDY's `X-Stream-Protocol-Version`, in the client's order. */
  readonly protocols: readonly string[];
}

/** What a handler answers: an HTTP response, a response that goes on, or an upgraded connection. */
export type Answer =
  | { readonly kind: 'Body'; readonly status: number; readonly headers: Headers; readonly body: string }
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

type Headers = Readonly<Record<string, string>>;

/** A response body that is written over time; `open` returns what to do when the client goes away. */
export interface Sink {
  write(chunk: string | Uint8Array): void;
  end(): void;
}

/** A WebSocket whose binary frames begin with a channel byte, as exec and port-forward use it. */
export interface Channels {
  send(channel: number, data: Uint8Array): void;
  close(): void;
  onFrame(listener: (channel: number, data: Buffer) => void): void;
  onClose(listener: () => void): void;
}

export const jsonHeaders = { 'cache-control': 'no-cache, private', 'content-type': 'application/json' };

/** A JSON body, ended by a newline as Go's encoder ends it. */
export function json(status: number, body: unknown, headers: Headers = {}): Answer {
  return { kind: 'Body', status, headers: { ...jsonHeaders, ...headers }, body: `${goJson(body)}\n` };
}

export function text(status: number, body: string, headers: Headers = {}): Answer {
  return {
    kind: 'Body',
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body,
  };
}
