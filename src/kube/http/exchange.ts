import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Problem } from '../../model/reading.ts';
import type { Millis } from '../../util/time.ts';
import { parseTime } from '../time.ts';
import type { Answer } from './answer.ts';
import { BodyError, type Bytes } from './body.ts';
import { problemOfError } from './problem.ts';
import { TimeLimit } from './time-limit.ts';

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** What is known of an answer before its body. */
export interface Head {
  readonly status: number;
  /** The server's clock; undefined when it does not say. */
  readonly date: Millis | undefined;
  /** Does work on what has come so far; the time limit begins anew when it is done. */
  apart<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes something of a body; for each try anew. Throws a BodyError. */
export type Take<Body> = (bytes: Bytes, head: Head) => Promise<Body>;

export interface Line {
  readonly server: string;
  readonly agent: Agent;
  /** For the whole answer, or for what comes before and after work on a part of it. */
  readonly timeout: Millis;
  readonly abort: AbortSignal;
}

/** Sends one request, once, and takes its answer. */
export async function exchange<Body>(
  asked: Asked,
  take: Take<Body>,
  { server, agent, timeout, abort }: Line,
): Promise<Answer<Body>> {
  const limit = new TimeLimit(timeout, abort);
  try {
    const response = await send(`${server}${asked.path}`, asked, agent, limit);
    const { statusCode: status = 0, headers } = response;
    const date = parseTime(headers['date']);
    return {
      kind: 'Answered',
      status,
      body: await take(response, { status, date, apart: (work) => limit.apart(work) }),
      date,
      retryAfter: headers['retry-after'],
    };
  } catch (error) {
    if (abort.aborted) return unanswered(interrupted);
    if (limit.isOver) {
      const message = `no answer from ${server} within ${timeout / 1000}s (--request-timeout)`;
      return unanswered({ kind: 'TimedOut', message, isFleeting: true });
    }
    if (error instanceof BodyError) return unanswered(error.problem);
    return unanswered(problemOfError(error, server));
  } finally {
    limit.end();
  }
}

/** The answer to one request, as soon as its head is there. Rejects as node:http does, and when the limit stops it. */
export function send(
  address: string,
  { method, query, headers = {}, body }: Omit<Asked, 'path'>,
  agent: Agent,
  limit: TimeLimit,
): Promise<IncomingMessage> {
  const url = `${address}${query ? `?${new URLSearchParams(query)}` : ''}`;
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  // Without a length, Node sends the body of a DELETE to where the next request is expected.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    if (limit.isStopped) return reject(givenUp());
    const sent = request(url, { method, headers: { ...headers, ...length }, agent, maxHeaderSize }, resolve);
    // Given a signal, Node hears of it only once the request has a connection, and takes more time for it.
    limit.stopBy(() => {
      const error = givenUp();
      reject(error);
      sent.destroy(error);
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

function givenUp(): Error {
  return new Error('the request was given up');
}

/** The Warnings of the API server alone have up to 16 KiB, which is all that Node takes by default. */
const maxHeaderSize = 64 * 1024;

export const interrupted: Problem = { kind: 'Interrupted', message: 'interrupted' };

export function unanswered(problem: Problem): Answer<never> {
  return { kind: 'Unanswered', problem };
}
