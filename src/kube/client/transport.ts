import type { Agent, ClientRequestArgs } from 'node:http';
import type { Problem } from '../../model/reading.ts';
import { parseTime } from '../../util/json.ts';
import { freshFor, Retries, type RetryTiming, readFresh, stopwatch } from '../../util/retry.ts';
import type { Millis } from '../../util/time.ts';
import { version } from '../../util/version.ts';
import type { Connection } from '../auth/connection.ts';
import type { Credential, Credentials, Secrets } from '../auth/credentials.ts';
import { type Answer, isFleeting, problemOfError, type Unanswered } from './answer.ts';
import { FirstAnswer, parseRetryAfter } from './busy.ts';
import { Connections } from './connections.ts';
import { type Asked, BodyError, send, type Take, TimeLimit, textReader, whole } from './exchange.ts';

export interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly contentType?: string;
}

export interface SocketTarget {
  readonly url: string;
  readonly options: Pick<ClientRequestArgs, 'headers' | 'createConnection'>;
  /** The next try after a 401; undefined if there are no other credentials. */
  renewed(abort: AbortSignal): Promise<SocketTarget | undefined>;
}

export type Reader = Pick<Transport, 'get' | 'redact'>;
export type PodReader = Pick<Transport, 'read' | 'redact'>;
export type Writer = Pick<Transport, 'send' | 'redact'>;
export type SocketOpener = Pick<Transport, 'socket' | 'server' | 'timeout' | 'redact'>;

/** A method of a port, with the part of the transport that it needs as its first parameter. */
export type Over<Needed, Method extends (...args: never[]) => unknown> = (
  transport: Needed,
  ...args: Parameters<Method>
) => ReturnType<Method>;

/** client-node's classes open a connection for each call, neither retry nor time out, and take other answers for empty lists. */
export class Transport {
  readonly #connections: Connections;
  readonly #first: FirstAnswer;

  constructor(
    private readonly connection: Connection,
    private readonly credentials: Credentials,
    readonly timeout: Millis,
    private readonly pace: RetryTiming,
    private readonly secrets: Secrets,
  ) {
    this.#connections = new Connections(connection);
    this.#first = new FirstAnswer(connection.server);
    this.secrets.learnUrl(connection.proxy);
  }

  get server(): string {
    return this.connection.server;
  }

  get awaited(): string | undefined {
    return this.#first.awaited;
  }

  readonly redact = (text: string): string => this.secrets.redact(text);

  get(path: string, query: Readonly<Record<string, string>>, abort: AbortSignal): Promise<Answer> {
    return whole(this.#askAgain({ method: 'GET', path, query }, this.#readText, abort));
  }

  /** A read that a write depends on: it is read once more if the answer took so long that it may be old. */
  fresh<T>(read: () => Promise<T>, isUsable: (answer: T) => boolean): Promise<T> {
    return readFresh(this.pace.clock, read, isUsable);
  }

  /** Reads pods as they arrive, in protobuf, which takes a quarter of the CPU time of JSON. */
  read<Body, Part>(
    path: string,
    query: Readonly<Record<string, string>>,
    take: Take<Body, Part>,
    abort: AbortSignal,
  ): AsyncGenerator<Part, Answer<Body>, void> {
    return this.#askAgain({ method: 'GET', path, query, headers: { accept: protobuf } }, take, abort);
  }

  /** Asks by a POST that changes nothing. */
  ask(path: string, body: unknown, abort: AbortSignal): Promise<Answer> {
    return whole(this.#askAgain(asJson({ method: 'POST', path, body }), this.#readText, abort));
  }

  /** Never repeated: only a read can tell whether a write that was not answered took place. */
  send(write: Write, abort: AbortSignal): Promise<Answer> {
    return whole(this.#ask(asJson(write), this.#readText, abort));
  }

  /** Sends a write that a read has just allowed, unless the wait made that read old. */
  sendSoon(write: Write, abort: AbortSignal): Promise<Answer> {
    return whole(this.#ask(asJson(write), this.#readText, abort, this.#deadline()));
  }

  /** Whether reads made before this call are too old to rely on. */
  #deadline(): () => boolean {
    const elapsed = stopwatch(this.pace.clock);
    return () => elapsed() > freshFor;
  }

  /** The request must not change anything. */
  async *#askAgain<Body, Part>(
    asked: Asked,
    take: Take<Body, Part>,
    abort: AbortSignal,
  ): AsyncGenerator<Part, Answer<Body>, void> {
    const retries = new Retries(this.pace);
    for (;;) {
      const answer = yield* this.#ask(asked, take, abort);
      const wait = answer.kind === 'Answered' ? parseRetryAfter(answer.retryAfter) : undefined;
      if (!isFleeting(answer) || !(await retries.again(abort, wait))) return answer;
    }
  }

  async *#ask<Body, Part>(
    asked: Asked,
    take: Take<Body, Part>,
    abort: AbortSignal,
    isOverdue = () => false,
  ): AsyncGenerator<Part, Answer<Body>, void> {
    const credential = await this.#credential(abort, isOverdue);
    if ('kind' in credential) return credential;
    const answer = yield* this.#askAs(credential, asked, take, abort);
    if (answer.kind === 'Unanswered' || answer.status !== 401) return answer;
    const renewed = await this.credentials.renewed(credential, abort);
    // A request that was not accepted has changed nothing.
    return renewed && !abort.aborted && !isOverdue()
      ? yield* this.#askAs(renewed, asked, take, abort)
      : answer;
  }

  /** What the next request is sent with, or why it is not sent. */
  async #credential(abort: AbortSignal, isOverdue: () => boolean): Promise<Credential | Unanswered> {
    const credential = await this.credentials.current(abort);
    if (abort.aborted) return unanswered(interrupted);
    if ('kind' in credential) return unanswered(credential);
    return isOverdue() ? { kind: 'Unanswered', problem: overdue, isUnsent: true } : credential;
  }

  async *#askAs<Body, Part>(
    { headers, secureContext }: Credential,
    asked: Asked,
    take: Take<Body, Part>,
    abort: AbortSignal,
  ): AsyncGenerator<Part, Answer<Body>, void> {
    this.#first.ask();
    const own = { ...headers, accept: 'application/json', 'user-agent': userAgent };
    const request = { ...asked, headers: { ...own, ...asked.headers } };
    const answer = yield* this.#exchange(request, this.#connections.agent(secureContext), take, abort);
    this.#first.hear(answer);
    if (answer.kind === 'Unanswered') {
      const { problem } = answer;
      return unanswered({ ...problem, message: this.redact(problem.message) });
    }
    return answer;
  }

  async *#exchange<Body, Part>(
    asked: Asked,
    agent: Agent,
    take: Take<Body, Part>,
    abort: AbortSignal,
  ): AsyncGenerator<Part, Answer<Body>, void> {
    const { server, timeout } = this;
    const limit = new TimeLimit(timeout, abort);
    try {
      const response = await send(`${server}${asked.path}`, asked, agent, limit.signal);
      const { statusCode: status = 0, headers } = response;
      const date = parseTime(headers['date']);
      const body = yield* limit.pausedBetween(take(response, { status, date }));
      return { kind: 'Answered', status, body, date, retryAfter: headers['retry-after'] };
    } catch (error) {
      if (abort.aborted) return unanswered(interrupted);
      if (limit.isOver) {
        const message = `no answer from ${server} within ${timeout / 1000}s (--request-timeout)`;
        return unanswered({ kind: 'TimedOut', message, isFleeting: true });
      }
      if (error instanceof BodyError) return unanswered(error.problem);
      const isAwaited = this.connection.isAwaited || this.#first.isUp;
      return unanswered(problemOfError(error, server, isAwaited));
    } finally {
      limit.end();
    }
  }

  /** Messages of a server are printed and logged, and may repeat what was sent. */
  readonly #readText: Take<string> = textReader(this.redact);

  /** What a WebSocket needs to connect, or why none can be opened in time. */
  async socket(path: string, abort: AbortSignal): Promise<SocketTarget | Problem> {
    const isOverdue = this.#deadline();
    const credential = await this.#credential(abort, isOverdue);
    return 'kind' in credential ? credential.problem : this.#socketAs(credential, path, isOverdue);
  }

  #socketAs(credential: Credential, path: string, isOverdue: () => boolean): SocketTarget {
    const { headers, secureContext } = credential;
    return {
      url: `${this.server.replace(/^http/, 'ws')}${path}`,
      options: {
        headers: { ...headers, 'user-agent': userAgent },
        createConnection: (_options, done) => this.#connections.open(secureContext, done),
      },
      renewed: async (abort) => {
        const renewed = await this.credentials.renewed(credential, abort);
        return renewed && !isOverdue() ? this.#socketAs(renewed, path, isOverdue) : undefined;
      },
    };
  }

  close(): void {
    this.#connections.close();
  }
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding */
const protobuf = 'application/vnd.kubernetes.protobuf';

const interrupted: Problem = { kind: 'Interrupted', message: 'interrupted' };

function unanswered(problem: Problem): Unanswered {
  return { kind: 'Unanswered', problem };
}

const overdue: Problem = {
  kind: 'TimedOut',
  message: 'it was not sent, because it had to wait and the pod may have changed',
};

const userAgent = `sidecar-sweeper/${version}`;

function asJson({ method, path, body, contentType = 'application/json' }: Write): Asked {
  return { method, path, headers: { 'content-type': contentType }, body: JSON.stringify(body) };
}
