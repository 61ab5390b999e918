import type { ClientRequestArgs } from 'node:http';
import { type Dispatcher, interceptors, request } from 'undici';
import type { Millis } from '../duration.ts';
import { version } from '../version.ts';
import type { Problem } from '../vocabulary.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { type Credential, CredentialError, type Credentials } from './credentials.ts';
import { problemOf, problemOfError } from './problem.ts';
import { parseTime } from './time.ts';

/** What came of a request. */
export type Answer =
  | {
      readonly kind: 'Answered';
      readonly status: number;
      readonly body: string;
      /** The server's clock; undefined when it does not say. */
      readonly date: Millis | undefined;
      /** The header as it came. */
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'Unanswered'; readonly problem: Problem };

/** A request that changes something. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly contentType?: string;
}

interface Asked {
  readonly method: Dispatcher.HttpMethod;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How to open a WebSocket. */
export interface Socket {
  readonly url: string;
  readonly options: Pick<ClientRequestArgs, 'headers' | 'createConnection'>;
  /** What to try after a 401; undefined if there are no other credentials. */
  renewed(abort: AbortSignal): Promise<Socket | undefined>;
}

/**
 * HTTP to one API server over connections that are kept. client-node's own API classes open a new connection
 * for each call, neither retry nor time out, and turn answers that are not lists into empty lists.
 */
export class Transport {
  readonly #connections: Connections;

  constructor(
    private readonly connection: Connection,
    private readonly credentials: Credentials,
    private readonly timeout: Millis,
  ) {
    this.#connections = new Connections(connection);
  }

  get server(): string {
    return this.connection.server;
  }

  /** Reads a path of the API. Repeated if the server is busy or the connection breaks. */
  get(path: string, query: Readonly<Record<string, string>>, abort: AbortSignal): Promise<Answer> {
    return this.#ask(path, { method: 'GET', query }, abort);
  }

  /** Writes. Never repeated: only a read can tell whether a write that was not answered took place. */
  send(write: Write, abort: AbortSignal): Promise<Answer> {
    const { method, path, body, contentType = 'application/json' } = write;
    const headers = { 'content-type': contentType };
    return this.#ask(path, { method, headers, body: JSON.stringify(body) }, abort);
  }

  async #ask(path: string, asked: Asked, abort: AbortSignal): Promise<Answer> {
    const credential = await this.credentials.current(abort);
    if (abort.aborted) return interrupted;
    if (credential instanceof CredentialError) {
      return { kind: 'Unanswered', problem: { kind: 'Unauthorized', message: credential.message } };
    }
    const answer = await this.#askAs(credential, path, asked, abort);
    if (answer.kind === 'Unanswered' || answer.status !== 401) return answer;
    const renewed = await this.credentials.renewed(credential, abort);
    // A request that was not accepted has changed nothing.
    return renewed && !abort.aborted ? await this.#askAs(renewed, path, asked, abort) : answer;
  }

  async #askAs(
    credential: Credential,
    path: string,
    { headers, ...rest }: Asked,
    abort: AbortSignal,
  ): Promise<Answer> {
    const deadline = AbortSignal.timeout(this.timeout);
    const agent = this.#connections.agent(credential.secureContext);
    try {
      const response = await request(`${this.server}${path}`, {
        ...rest,
        dispatcher: rest.method === 'GET' ? agent.compose(retry) : agent,
        headers: { ...credential.headers, accept: 'application/json', 'user-agent': userAgent, ...headers },
        signal: AbortSignal.any([abort, deadline]),
      });
      return {
        kind: 'Answered',
        status: response.statusCode,
        body: await response.body.text(),
        date: parseTime(response.headers['date']),
        retryAfter: response.headers['retry-after']?.toString(),
      };
    } catch (error) {
      if (abort.aborted) return interrupted;
      if (deadline.aborted) {
        const message = `no answer from ${this.server} within ${this.timeout / 1000}s (--request-timeout)`;
        return { kind: 'Unanswered', problem: { kind: 'TimedOut', message } };
      }
      return { kind: 'Unanswered', problem: problemOfError(error, this.server) };
    }
  }

  /** The URL and the options for a WebSocket to a path of the API. */
  async socket(path: string, abort: AbortSignal): Promise<Socket | CredentialError> {
    const credential = await this.credentials.current(abort);
    return credential instanceof CredentialError ? credential : this.#socketAs(credential, path);
  }

  #socketAs(credential: Credential, path: string): Socket {
    return {
      url: `${this.server.replace(/^http/, 'ws')}${path}`,
      options: {
        headers: { ...credential.headers, 'user-agent': userAgent },
        createConnection: (_options, done) => this.#connections.open(credential.secureContext, done),
      },
      renewed: async (abort) => {
        const renewed = await this.credentials.renewed(credential, abort);
        return renewed && this.#socketAs(renewed, path);
      },
    };
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

const interrupted: Answer = {
  kind: 'Unanswered',
  problem: { kind: 'Interrupted', message: 'the sweep was stopped' },
};

/** Why an answer is not what was asked for. */
export function refusal(answer: Answer): Problem {
  return answer.kind === 'Unanswered' ? answer.problem : problemOf(answer.status, answer.body);
}

const userAgent = `sidecar-sweeper/${version}`;

const retry = interceptors.retry({
  methods: ['GET'],
  maxRetries: 3,
  minTimeout: 200,
  maxTimeout: 15_000,
  statusCodes: [429, 502, 503, 504],
  // The last answer is passed on, so that its Status can be reported.
  throwOnError: false,
});
