import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Answer } from '../handlers/answer.ts';
import { lengthOf, withItems } from '../protobuf/encode.ts';

/** Go sends small answers with a length and larger ones in chunks; the API server gzips large ones. */
const maxSizedBytes = 2048;
const minPackedBytes = 128 * 1024;
/** Few writes cost less than many. */
const chunkBytes = 256 * 1024;

type Headers = Readonly<Record<string, string>>;

/** Writes an answer; these headers replace its own. */
export function writeAnswer(
  response: ServerResponse,
  answer: Extract<Answer, { kind: 'Body' | 'Stream' }>,
  headers: Headers,
  acceptsGzip: boolean,
): void {
  response.sendDate = false;
  // Go sends no `connection` header while the connection stays open.
  response.removeHeader('connection');
  if (answer.kind === 'Body') {
    writeBody(response, answer, headers, acceptsGzip);
    return;
  }
  response.writeHead(200, { ...answer.headers, ...headers });
  response.flushHeaders();
  const stop = answer.open({
    write: (chunk) => void (response.destroyed || response.write(chunk)),
    end: () => void response.end(),
  });
  response.once('close', stop);
}

function writeBody(
  response: ServerResponse,
  { status, headers, body, more }: Extract<Answer, { kind: 'Body' }>,
  others: Headers,
  acceptsGzip: boolean,
): void {
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : body;
  const length = lengthOf(pieces) + (more?.bytes ?? 0);
  const packs = acceptsGzip && length > minPackedBytes;
  // Without a body and with `connection: close`, only the closed connection marks the end of the answer.
  if (length === 0) {
    response.removeHeader('content-length');
    response.removeHeader('transfer-encoding');
  }
  response.writeHead(status, {
    ...headers,
    ...(length > 0 && length <= maxSizedBytes ? { 'content-length': String(length) } : {}),
    ...(packs ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
    ...others,
  });
  const chunks = joined(more ? withItems(pieces, more.items, more.bytes) : pieces);
  void writeAll(packs ? Readable.from(chunks).pipe(createGzip({ level: 1 })) : chunks, response);
}

function* joined(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    pending.push(piece);
    length += piece.length;
    if (length < chunkBytes) continue;
    yield Buffer.concat(pending, length);
    pending = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(pending, length);
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
