import type { RequestOptions } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import { Agent, type Dispatcher, interceptors, request } from 'undici';
import type { Millis } from '../duration.ts';
import { printable } from '../printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import type { Problem } from '../vocabulary.ts';
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

/** What a WebSocket needs to reach the same server as the same user. */
export type SocketOptions = RequestOptions;

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
  readonly options: SocketOptions & { readonly secureContext: SecureContext };
}

/** A token file, a certificate or a credential plugin of the kubeconfig cannot be used. */
export class CredentialError extends Error {
  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`the credentials of the kubeconfig cannot be used: ${printable(message)}`);
  }
}

/**
 * HTTP to one API server over connections that are kept. client-node's own API classes open a new connection
 * for each call, neither retry nor time out, and turn answers that are not lists into empty lists.
 */
export class Transport {
  #lastContext: { readonly fingerprint: string; readonly context: SecureContext } | undefined;

  private constructor(
    readonly server: string,
    private config: KubeConfig,
    private readonly reading: Dispatcher,
    private readonly writing: Dispatcher,
    private readonly timeout: Millis,
  ) {}

  /** Throws UsageError when certificates, proxy or credentials of the configuration cannot be used. */
  static async open(config: KubeConfig, timeout: Millis): Promise<Transport> {
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new UsageError('the configuration names no cluster');
    // Plain http (as with kubectl proxy) has no TLS to verify, but client-node insists on being told.
    if (cluster.server.startsWith('http:')) Object.assign(cluster, { skipTLSVerify: true });
    if (!/^https?:\/\/\S+$/.test(cluster.server)) {
      throw new UsageError(
        `the server of the kubeconfig is not an http(s) URL: ${printable(cluster.server)}`,
      );
    }
    const context = new RequestContext(cluster.server, HttpMethod.GET);
    try {
      await config.applySecurityAuthentication(context);
    } catch (error) {
      throw new UsageError(new CredentialError(error).message);
    }
    const base = context.getDispatcher() ?? new Agent();
    return new Transport(withoutCredentials(cluster.server), config, base.compose(retry), base, timeout);
  }

  /** Reads a path of the API. Repeated if the server is busy or the connection breaks. */
  get(path: string, query: Readonly<Record<string, string>>, abort: AbortSignal): Promise<Answer> {
    return this.#ask(this.reading, path, { method: 'GET', query }, abort);
  }

  /** Writes. Never repeated: only a read can tell whether a write that was not answered took place. */
  send(write: Write, abort: AbortSignal): Promise<Answer> {
    const { method, path, body, contentType = 'application/json' } = write;
    const headers = { 'content-type': contentType };
    return this.#ask(this.writing, path, { method, headers, body: JSON.stringify(body) }, abort);
  }

  async #ask(
    dispatcher: Dispatcher,
    path: string,
    { headers, ...rest }: Asked,
    abort: AbortSignal,
  ): Promise<Answer> {
    const deadline = AbortSignal.timeout(this.timeout);
    const options = await this.#authenticate();
    if (options instanceof CredentialError) {
      return { kind: 'Unanswered', problem: { kind: 'Unauthorized', message: options.message } };
    }
    try {
      const response = await request(`${this.server}${path}`, {
        ...rest,
        dispatcher,
        headers: { ...headersOf(options), accept: 'application/json', 'user-agent': userAgent, ...headers },
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
      if (abort.aborted) {
        return { kind: 'Unanswered', problem: { kind: 'Interrupted', message: 'the sweep was stopped' } };
      }
      if (deadline.aborted) {
        const message = `no answer from ${this.server} within ${this.timeout / 1000}s (--request-timeout)`;
        return { kind: 'Unanswered', problem: { kind: 'TimedOut', message } };
      }
      return { kind: 'Unanswered', problem: problemOfError(error, this.server) };
    }
  }

  /** The URL and the options for a WebSocket to a path of the API. */
  async socket(path: string): Promise<Socket | CredentialError> {
    const options = await this.#authenticate();
    if (options instanceof CredentialError) return options;
    const headers = { ...headersOf(options), 'user-agent': userAgent };
    const { ca, cert, key, ...rest } = options;
    try {
      const secureContext = this.#secureContext({ ca, cert, key });
      return {
        url: `${this.server.replace(/^http/, 'ws')}${path}`,
        options: { ...rest, headers, secureContext },
      };
    } catch (error) {
      // A plugin may give something that is not a certificate.
      return new CredentialError(error);
    }
  }

  /** Reads certificates once: reading them for every connection costs more than the connection itself. */
  #secureContext(certificates: Pick<SocketOptions, 'ca' | 'cert' | 'key'>): SecureContext {
    const { ca, cert, key } = certificates;
    const fingerprint = [ca, cert, key].map(String).join();
    if (this.#lastContext?.fingerprint !== fingerprint) {
      this.#lastContext = { fingerprint, context: createSecureContext({ ca, cert, key }) };
    }
    return this.#lastContext.context;
  }

  /** The current credentials; their source (a file, a plugin) also renews them. */
  async #authenticate(): Promise<SocketOptions | CredentialError> {
    const options: SocketOptions = {};
    const late = new AbortController();
    const tooLate = new Promise<never>((_resolve, reject) => {
      const message = `the credential plugin did not answer within ${this.timeout / 1000}s (--request-timeout)`;
      const timer = setTimeout(() => reject(new Error(message)), this.timeout);
      late.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    try {
      await Promise.race([this.config.applyToHTTPSOptions(options), tooLate]);
      return options;
    } catch (error) {
      // client-node keeps what a plugin said, even if it makes no sense; a copy asks it again.
      this.config = copyOf(this.config);
      return new CredentialError(error);
    } finally {
      late.abort();
    }
  }

  async close(): Promise<void> {
    await this.writing.destroy();
  }
}

function copyOf(config: KubeConfig): KubeConfig {
  const { clusters, users, contexts, currentContext } = config;
  const copy = new KubeConfig();
  copy.loadFromOptions({ clusters, users, contexts, currentContext });
  return copy;
}

/** The server's URL as it is dialled and reported; a password in it would be in every message. */
function withoutCredentials(server: string): string {
  return server.replace(/^(https?:\/\/)[^/]*@/, '$1').replace(/\/+$/, '');
}

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

function headersOf(options: SocketOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value !== undefined) headers[name] = String(value);
  }
  // Basic authentication comes as an option of node:http, which undici does not know.
  if (options.auth) headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  return headers;
}
