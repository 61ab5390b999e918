import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type Answer, goJson, type Sink } from '../handlers/answer.ts';
import { failure } from '../handlers/api.ts';
import { joined, lengthOf, type Pieces, protobufOf } from '../protobuf/encode.ts';

interface WriteOptions {
  readonly date: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly acceptsGzip: boolean;
}

type HttpAnswer = Extract<EncodedAnswer, { kind: 'Body' | 'Stream' }>;

/** Go sends small answers with a length and larger ones in chunks; the API server gzips large ones. */
const maxSizedBytes = 2048;
const minPackedBytes = 128 * 1024;
/** Few writes cost less than many. */
const chunkBytes = 256 * 1024;

export function writeAnswer(response: ServerResponse, answer: HttpAnswer, options: WriteOptions): void {
  response.sendDate = false;
  // Go sends no `connection` header while the connection stays open.
  response.removeHeader('connection');
  const { headers } = options;
  const date = options.date.toUTCString();
  switch (answer.kind) {
    case 'Body': {
      const pieces = typeof answer.body === 'string' ? [Buffer.from(answer.body)] : answer.body;
      const length = lengthOf(pieces);
      const packs = options.acceptsGzip && length > minPackedBytes;
      // Without a body and with `connection: close`, only the closed connection marks the end of the answer.
      if (length === 0) {
        response.removeHeader('content-length');
        response.removeHeader('transfer-encoding');
      }
      response.writeHead(answer.status, {
        ...answer.headers,
        ...(length > 0 && length <= maxSizedBytes ? { 'content-length': String(length) } : {}),
        ...(packs ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
        date,
        ...headers,
      });
      const chunks = joined(pieces, chunkBytes);
      void writeAll(packs ? Readable.from(chunks).pipe(createGzip({ level: 1 })) : chunks, response);
      return;
    }
    case 'Stream': {
      response.writeHead(200, { ...answer.headers, date, ...headers });
      response.flushHeaders();
      const stop = answer.open(sinkOf(response));
      response.once('close', stop);
      return;
    }
  }
}

/** Waits whenever the client is slower. */
async function writeAll(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  response: ServerResponse,
): Promise<void> {
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    response.write(chunk);
    if (response.writableNeedDrain) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function sinkOf(response: ServerResponse): Sink {
  return {
    write: (chunk) => void (response.destroyed || response.write(chunk)),
    end: () => void response.end(),
  };
}

/** An object as JSON with a trailing newline, as Go's encoder writes it. */
function jsonOf(object: object): Pieces {
  return 'items' in object && Array.isArray(object.items)
    ? listOf(object, object.items)
    : [Buffer.from(`${goJson(object)}\n`)];
}

function listOf(list: object, items: readonly object[]): Pieces {
  const { items: _, ...rest } = list as { items: unknown };
  const pieces: Uint8Array[] = [Buffer.from(`${goJson(rest).slice(0, -1)},"items":[`)];
  for (const [index, item] of items.entries()) {
    let before = index === 0 ? '{' : ',{';
    for (const [name, value] of Object.entries(item)) {
      if (value === undefined) continue;
      pieces.push(mark(`${before}"${name}":`), jsonValue(value));
      before = ',';
    }
    pieces.push(mark('}'));
  }
  pieces.push(mark(']}\n'));
  return pieces;
}

/** What stands between values. */
const marks = new Map<string, Buffer>();

function mark(text: string): Buffer {
  const known = marks.get(text) ?? Buffer.from(text);
  marks.set(text, known);
  return known;
}

/** Stored objects never change, and pods that were placed together share their specs: each is encoded once. */
const values = new WeakMap<object, Buffer>();

function jsonValue(value: unknown): Buffer {
  if (typeof value !== 'object' || value === null) return Buffer.from(goJson(value));
  const known = values.get(value) ?? Buffer.from(goJson(value));
  values.set(value, known);
  return known;
}

export type EncodedAnswer = Exclude<Answer, { kind: 'Object' }> | EncodedObject;

interface EncodedObject {
  readonly kind: 'Body';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Pieces;
}

export function encode(answer: Extract<Answer, { kind: 'Object' }>): EncodedAnswer {
  const { status, headers, encoding, object } = answer;
  try {
    switch (encoding) {
      case 'Json':
        return { kind: 'Body', status, headers, body: jsonOf(object) };
      case 'Protobuf':
        return { kind: 'Body', status, headers, body: protobufOf(object) };
    }
  } catch (error) {
    return failure(error);
  }
}
