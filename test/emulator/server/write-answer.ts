import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer, Sink } from '../handlers/answer.ts';

export interface WriteOptions {
  readonly date: Date;
  readonly headers: Readonly<Record<string, string>>;
  /** Closes the connection after this many bytes. */
  readonly cutAfter: number | undefined;
  readonly acceptsGzip: boolean;
}

type HttpAnswer = Extract<Answer, { kind: 'Body' | 'Stream' }>;

/** Go sends small answers with a length and larger ones in chunks; the API server gzips large ones. */
const maxSizedBytes = 2048;
const minPackedBytes = 128 * 1024;

/** Writes an HTTP answer as the API server does. */
export function writeAnswer(response: ServerResponse, answer: HttpAnswer, options: WriteOptions): void {
  response.sendDate = false;
  // Go sends no `connection` header while the connection stays open.
  response.removeHeader('connection');
  const { headers } = options;
  const date = options.date.toUTCString();
  switch (answer.kind) {
    case 'Body': {
      const packs = options.acceptsGzip && answer.body.length > minPackedBytes;
      const body = packs ? gzipSync(answer.body, { level: 1 }) : Buffer.from(answer.body);
      // Without a body and with `connection: close`, only the closed connection marks the end of the answer.
      if (body.length === 0) {
        response.removeHeader('content-length');
        response.removeHeader('transfer-encoding');
      }
      response.writeHead(answer.status, {
        ...answer.headers,
        ...(body.length > 0 && body.length <= maxSizedBytes ? { 'content-length': String(body.length) } : {}),
        ...(packs ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
        date,
        ...headers,
      });
      const sink = sinkOf(response, options.cutAfter);
      if (body.length > 0) sink.write(body);
      sink.end();
      return;
    }
    case 'Stream': {
      response.writeHead(200, { ...answer.headers, date, ...headers });
      response.flushHeaders();
      const stop = answer.open(sinkOf(response, options.cutAfter));
      response.once('close', stop);
      return;
    }
  }
}

function sinkOf(response: ServerResponse, cutAfter: number | undefined): Sink {
  let left = cutAfter ?? Number.POSITIVE_INFINITY;
  return {
    write(chunk) {
      const bytes = Buffer.from(chunk);
      if (response.destroyed || left <= 0) return;
      if (bytes.length < left) {
        left -= bytes.length;
        response.write(bytes);
        return;
      }
      const cut = bytes.subarray(0, left);
      left = 0;
      response.write(cut, () => response.destroy());
    },
    end() {
      if (left > 0) response.end();
    },
  };
}
