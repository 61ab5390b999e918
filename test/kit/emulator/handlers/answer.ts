import { type Pieces, protobufOf } from '../protobuf/encode.ts';
import { StatusError } from './status.ts';

/** A client's request as handlers see it, independent of sockets and HTTP libraries. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** The subprotocols of the WebSocket that the client asks for, in its order; undefined if it asks for none. */
  readonly upgrade: readonly string[] | undefined;
}

type Body = {
  readonly kind: 'Body';
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Pieces;
  /** Items behind those of a list in protobuf. */
  readonly more?: MoreItems;
};

/** Pods that are encoded already; they are not held in memory. */
export interface MoreItems {
  readonly bytes: number;
  readonly items: Iterable<Uint8Array>;
}

export type Answer =
  | Body
  | { readonly kind: 'Stream'; readonly headers: Headers; readonly open: (sink: Sink) => () => void }
  | {
      readonly kind: 'Channels';
      readonly protocol: string;
      readonly serve: (channels: Channels) => void;
    };

type Headers = Readonly<Record<string, string>>;

/** A response body that is written over time. `open` returns the cleanup for when the client disconnects. */
interface Sink {
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

/** A JSON body with a trailing newline, as Go's encoder writes it. */
export function json(status: number, body: unknown, headers: Headers = {}): Body {
  return { kind: 'Body', status, headers: { ...jsonHeaders, ...headers }, body: `${goJson(body)}\n` };
}

/** Go's `WriteRawJSON`, for the version and for a 406. */
export function indented(status: number, body: object): Answer {
  return { kind: 'Body', status, headers: jsonHeaders, body: JSON.stringify(body, null, 2) };
}

/** An object or a list of objects, in the encoding that the client prefers. */
export function encoded(encoding: Encoding, status: number, object: object, headers: Headers = {}): Body {
  if (encoding === 'Json') {
    if (!('items' in object && Array.isArray(object.items))) return json(status, object, headers);
    const body = listOf(object, object.items);
    return { kind: 'Body', status, headers: { ...jsonHeaders, ...headers }, body };
  }
  const own = { ...jsonHeaders, 'content-type': protobuf };
  return { kind: 'Body', status, headers: { ...own, ...headers }, body: protobufOf(object) };
}

export function text(status: number, body: string, headers: Headers = {}): Answer {
  return { kind: 'Body', status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}

/** JSON as Go's encoder writes it: `<`, `>`, `&`, U+2028 and U+2029 are escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A list in pieces, of which those of stored objects are kept. */
function listOf(list: object, items: readonly object[]): Pieces {
  const { items: _, ...rest } = list as { items: unknown };
  const pieces: Uint8Array[] = [Buffer.from(`${goJson(rest).slice(0, -1)},"items":[`)];
  for (const [index, item] of items.entries()) {
    const fields = Object.entries(item).filter(([, value]) => value !== undefined);
    for (const [place, [name, value]] of fields.entries()) {
      const before = place > 0 ? ',' : index > 0 ? ',{' : '{';
      pieces.push(Buffer.from(`${before}"${name}":`), jsonValue(value));
    }
    pieces.push(Buffer.from('}'));
  }
  return [...pieces, Buffer.from(']}\n')];
}

/** Stored objects never change, and pods that were placed together share their specs: each is encoded once. */
const values = new WeakMap<object, Buffer>();

function jsonValue(value: unknown): Buffer {
  if (typeof value !== 'object' || value === null) return Buffer.from(goJson(value));
  const known = values.get(value) ?? Buffer.from(goJson(value));
  values.set(value, known);
  return known;
}

type Encoding = 'Json' | 'Protobuf';

const protobuf = 'application/vnd.kubernetes.protobuf';
const jsonTypes: readonly string[] = ['application/json', 'application/*', '*/*'];

/**
 * Reads `Accept`: the first supported form, in the client's order. The real server has a protobuf form of everything, the emulator
 * of pods.
 */
export function readForm(accept: string | undefined, hasProtobuf: boolean): Encoding | 'Table' {
  if (accept === undefined || accept === '') return 'Json';
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (type === protobuf && parameters.length === 0 && hasProtobuf) return 'Protobuf';
    if (!jsonTypes.includes(type)) continue;
    if (!parameters.some((each) => each.startsWith('as='))) return 'Json';
    if (['as=Table', 'g=meta.k8s.io', 'v=v1'].every((each) => parameters.includes(each))) return 'Table';
  }
  throw new StatusError(
    406,
    'NotAcceptable',
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    { details: {} },
  );
}

/** The encoding of a refusal: JSON if the client accepts nothing that is served. */
export function readEncoding(accept = ''): Encoding {
  const wanted = accept.split(',').map((range) => range.trim());
  const first = wanted.find((type) => type === protobuf || jsonTypes.includes(type.split(';')[0] ?? ''));
  return first === protobuf ? 'Protobuf' : 'Json';
}
