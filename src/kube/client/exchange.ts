import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { bounds } from '../../model/bounds.ts';
import type { Problem } from '../../model/reading.ts';
import { onAbort } from '../../util/concurrency.ts';
import type { Millis } from '../../util/time.ts';
import type { Answer } from './answer.ts';

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

interface Head {
  readonly status: number;
  readonly date: Millis | undefined;
}

/** Makes something of a body, for each try anew, and may give parts of it before. */
export type Take<Body, Part = never> = (bytes: Bytes, head: Head) => AsyncGenerator<Part, Body, void>;

/** Resolves as soon as the head of the answer is there. */
export function send(
  address: string,
  { method, query, headers = {}, body }: Omit<Asked, 'path'>,
  agent: Agent,
  abort: AbortSignal,
): Promise<IncomingMessage> {
  const url = `${address}${query ? `?${new URLSearchParams(query)}` : ''}`;
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  // Without a length, Node sends the body of a DELETE to where the next request is expected.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const givenUp = new Error('the request was given up');
    if (abort.aborted) return reject(givenUp);
    const sent = request(
      url,
      { method, headers: { ...headers, ...length }, agent, maxHeaderSize: bounds.headers },
      resolve,
    );
    // Given the signal, Node would hear of it only once the request has a connection.
    onAbort(abort, () => {
      reject(givenUp);
      sent.destroy(givenUp);
    });
    sent
      .on('error', reject)
      // Without this, Node closes the connection and says nothing.
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('it answers by another protocol'));
      })
      .end(body);
  });
}

/** Ends an exchange that takes the server too long, or that was aborted. */
export class TimeLimit {
  readonly #ending = new AbortController();
  readonly #leave: () => void;
  #timer: NodeJS.Timeout | undefined;
  isOver = false;

  constructor(
    private readonly limit: Millis,
    abort: AbortSignal,
  ) {
    this.#leave = onAbort(abort, () => this.#ending.abort());
    this.#begin();
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Passes parts on; the time begins anew after each, which takes time to work on. */
  async *pausedBetween<Part, Result>(
    parts: AsyncGenerator<Part, Result, void>,
  ): AsyncGenerator<Part, Result, void> {
    try {
      for (;;) {
        const { done, value } = await parts.next();
        if (done) return value;
        clearTimeout(this.#timer);
        yield value;
        this.#begin();
      }
    } finally {
      // Its reader may want no more.
      await parts.return(undefined as never);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }

  #begin(): void {
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#ending.abort();
    }, this.limit);
  }
}

export type Bytes = AsyncIterable<Uint8Array>;

/** A body is not what was asked for, though the connection did not fail. */
export class BodyError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** The text of an object; of what explains a failure, only the beginning. */
export async function readText(bytes: Bytes, status: number): Promise<string> {
  const isObject = status < 300;
  const limit = isObject ? bounds.object : bounds.message;
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    kept.push(chunk);
    size += chunk.length;
    if (size <= limit) continue;
    if (isObject) throw tooLarge('the answer', limit);
    break;
  }
  return Buffer.concat(kept).subarray(0, limit).toString('utf8');
}

export function tooLarge(what: string, limit: number): BodyError {
  const message = `${what} has more than ${limit / 1024 / 1024} MiB`;
  return new BodyError({ kind: 'TooLarge', message });
}

/** The answer to a request, without the parts that may come before it. */
export async function whole<Body>(
  answer: AsyncGenerator<unknown, Answer<Body>, void>,
): Promise<Answer<Body>> {
  for (;;) {
    const { done, value } = await answer.next();
    if (done) return value;
  }
}

export function textReader(redact: (text: string) => string): Take<string> {
  // biome-ignore lint/correctness/useYield: a text has no parts.
  return async function* (bytes, { status }) {
    const text = await readText(bytes, status);
    return status < 300 ? text : redact(text);
  };
}
