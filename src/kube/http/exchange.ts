import { type Dispatcher, request } from 'undici';
import type { Millis } from '../../duration.ts';
import type { Problem } from '../../vocabulary.ts';
import { parseTime } from '../time.ts';
import type { Answer } from './answer.ts';
import { BodyError, type Bytes } from './body.ts';
import { isFleeting, problemOfError } from './problem.ts';

export interface Asked {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** Makes something of a body; for each try anew. Throws a BodyError. */
export type Take<Body> = (bytes: Bytes, status: number) => Promise<Body>;

/** What came of one try. */
export interface Tried<Body> {
  readonly answer: Answer<Body>;
  /** Whether another try may fare better. */
  readonly isFleeting: boolean;
}

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
): Promise<Tried<Body>> {
  const deadline = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([abort, deadline]);
  try {
    const response = await request(`${server}${path}`, { ...asked, dispatcher, signal });
    const { statusCode: status, headers } = response;
    const answer = {
      kind: 'Answered',
      status,
      body: await take(response.body, status),
      date: parseTime(headers['date']),
      retryAfter: headers['retry-after']?.toString(),
    } as const;
    return { answer, isFleeting: status === 429 || status >= 500 };
  } catch (error) {
    if (abort.aborted) return unanswered(interrupted);
    if (deadline.aborted) {
      const message = `no answer from ${server} within ${timeout / 1000}s (--request-timeout)`;
      return unanswered({ kind: 'TimedOut', message }, true);
    }
    if (error instanceof BodyError) return unanswered(error.problem, error.isFleeting);
    return unanswered(problemOfError(error, server), isFleeting(error));
  }
}

export const interrupted: Problem = { kind: 'Interrupted', message: 'the sweep was stopped' };

export function unanswered(problem: Problem, isFleeting = false): Tried<never> {
  return { answer: { kind: 'Unanswered', problem }, isFleeting };
}
