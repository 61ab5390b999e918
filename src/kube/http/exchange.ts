import { type Dispatcher, request } from 'undici';
import type { Millis } from '../../duration.ts';
import type { Problem } from '../../vocabulary.ts';
import { parseTime } from '../time.ts';
import type { Answer } from './answer.ts';
import { BodyError, type Bytes } from './body.ts';
import { problemOfError } from './problem.ts';
import { TimeLimit } from './time-limit.ts';

export interface Asked {
  readonly method: Dispatcher.HttpMethod;
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
  readonly dispatcher: Dispatcher;
  /** For the whole answer, or for what comes before and after work on a part of it. */
  readonly timeout: Millis;
  readonly abort: AbortSignal;
}

/** Sends one request, once, and takes its answer. */
export async function exchange<Body>(
  { path, ...asked }: Asked,
  take: Take<Body>,
  { server, dispatcher, timeout, abort }: Line,
): Promise<Answer<Body>> {
  const limit = new TimeLimit(timeout);
  const signal = AbortSignal.any([abort, limit.signal]);
  try {
    const response = await request(`${server}${path}`, { ...asked, dispatcher, signal });
    const { statusCode: status, headers } = response;
    const date = parseTime(headers['date']);
    return {
      kind: 'Answered',
      status,
      body: await take(response.body, { status, date, apart: (work) => limit.apart(work) }),
      date,
      retryAfter: headers['retry-after']?.toString(),
    };
  } catch (error) {
    if (abort.aborted) return unanswered(interrupted);
    if (limit.signal.aborted) {
      const message = `no answer from ${server} within ${timeout / 1000}s (--request-timeout)`;
      return unanswered({ kind: 'TimedOut', message, isFleeting: true });
    }
    if (error instanceof BodyError) return unanswered(error.problem);
    return unanswered(problemOfError(error, server));
  } finally {
    limit.end();
  }
}

export const interrupted: Problem = { kind: 'Interrupted', message: 'the sweep was stopped' };

export function unanswered(problem: Problem): Answer<never> {
  return { kind: 'Unanswered', problem };
}
