import { type Dispatcher, request } from 'undici';
import type { Millis } from '../../duration.ts';
import type { Problem } from '../../vocabulary.ts';
import { parseTime } from '../time.ts';
import type { Answer } from './answer.ts';
import { BodyError, type Bytes } from './body.ts';
import { problemOfError } from './problem.ts';

export interface Asked {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** Makes something of a body; for each try anew. Throws a BodyError. */
export type Take<Body> = (bytes: Bytes, status: number) => Promise<Body>;

export interface Line {
  readonly server: string;
  readonly dispatcher: Dispatcher;
  /** For the whole answer. */
  readonly timeout: Millis;
  readonly abort: AbortSignal;
}

/** Sends one request, once, and takes its answer. */
export async function exchange<Body>(
  { path, ...asked }: Asked,
  take: Take<Body>,
  { server, dispatcher, timeout, abort }: Line,
): Promise<Answer<Body>> {
  const deadline = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([abort, deadline]);
  try {
    const response = await request(`${server}${path}`, { ...asked, dispatcher, signal });
    const { statusCode: status, headers } = response;
    return {
      kind: 'Answered',
      status,
      body: await take(response.body, status),
      date: parseTime(headers['date']),
      retryAfter: headers['retry-after']?.toString(),
    };
  } catch (error) {
    if (abort.aborted) return unanswered(interrupted);
    if (deadline.aborted) {
      const message = `no answer from ${server} within ${timeout / 1000}s (--request-timeout)`;
      return unanswered({ kind: 'TimedOut', message, isFleeting: true });
    }
    if (error instanceof BodyError) return unanswered(error.problem);
    return unanswered(problemOfError(error, server));
  }
}

export const interrupted: Problem = { kind: 'Interrupted', message: 'the sweep was stopped' };

export function unanswered(problem: Problem): Answer<never> {
  return { kind: 'Unanswered', problem };
}
