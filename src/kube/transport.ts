import type { RequestOptions } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { HttpMethod, type KubeConfig, RequestContext } from '@kubernetes/client-node';
import { Agent, type Dispatcher, interceptors, request } from 'undici';
import { printable } from '../printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import type { Millis, Problem } from '../vocabulary.ts';
import { problemOf, problemOfError } from './problem.ts';

export type Answer =
  | {
      readonly kind: 'Answered';
      readonly status: number;
      readonly body: string;
      /** The server's clock; NaN when it does not say, which no age survives. */
      readonly date: Millis;
      /** The header, as it came. */
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'Unanswered'; readonly problem: Problem };

/** What a WebSocket needs to reach the same server as the same user. */
export type SocketOptions = RequestOptions;

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

export interface Socket {
  readonly url: string;
  readonly options: SocketOptions & { readonly secureContext: SecureContext };
}

/** A token file, a certificate or a credential plugin of the kubeconfig that cannot be used. */
export class CredentialError extends Error {
  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`the credentials of the kubeconfig cannot be used: ${printable(message)}`);
  }
}

/**
 * HTTP to one API server over connections that are kept. client-node's own API classes dial anew for every call,
 * neither retry nor time out, and turn answers that are no lists into empty ones.
 */
export class Transport {
  #lastContext: { readonly fingerprint: string; readonly context: SecureContext } | undefined;

  private constructor(
    readonly server: string,
    private readonly config: KubeConfig,
    private readonly reading: Dispatcher,
    private readonly writing: Dispatcher,
    private readonly timeout: Millis,
  ) {}

  /** Throws UsageError when certificates, proxy or credentials of the configuration cannot be used. */
  static async open(config: KubeConfig, timeout: Millis): Promise<Transport> {
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new UsageError('the configuration names no cluster');
    // Verifying TLS means nothing on plain http (as with kubectl proxy), and client-node insists on being told so.
    if (cluster.server.startsWith('http:')) Object.assign(cluster, { skipTLSVerify: true });
    if (!/^https?:\/\/\S+$/.test(cluster.server)) {
      throw new UsageError(`the server of the kubeconfig is no http(s) URL: ${printable(cluster.server)}`);
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

  /** Reads a path of the API. Reads are repeated when the server is busy or the connection breaks. */
  get(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer> {
    return this.#ask(this.reading, path, { method: 'GET', query }, signal);
  }

  /** Writes. Never repeated: whether a write that was not answered took place, only a read can tell. */
  send(write: Write, signal: AbortSignal): Promise<Answer> {
    const { method, path, body, contentType = 'application/json' } = write;
    const headers = { 'content-type': contentType };
    return this.#ask(this.writing, path, { method, headers, body: JSON.stringify(body) }, signal);
  }

  async #ask(
    dispatcher: Dispatcher,
    path: string,
    { headers, ...rest }: Asked,
    signal: AbortSignal,
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
        signal: AbortSignal.any([signal, deadline]),
      });
      return {
        kind: 'Answered',
        status: response.statusCode,
        body: await response.body.text(),
        date: Date.parse(String(response.headers['date'])),
        retryAfter: response.headers['retry-after']?.toString(),
      };
    } catch (error) {
      if (signal.aborted) {
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
    return {
      url: `${this.server.replace(/^http/, 'ws')}${path}`,
      options: { ...rest, headers, secureContext: this.#secureContext({ ca, cert, key }) },
    };
  }

  /** Reads certificates once and not for every connection, which costs more than the connection itself. */
  #secureContext(certificates: Pick<SocketOptions, 'ca' | 'cert' | 'key'>): SecureContext {
    const { ca, cert, key } = certificates;
    const fingerprint = [ca, cert, key].map(String).join();
    if (this.#lastContext?.fingerprint !== fingerprint) {
      this.#lastContext = { fingerprint, context: createSecureContext({ ca, cert, key }) };
    }
    return this.#lastContext.context;
  }

  /** The credentials of this moment: whoever gives them (a file, a plugin) also renews them. */
  async #authenticate(): Promise<SocketOptions | CredentialError> {
    const options: SocketOptions = {};
    try {
      await this.config.applyToHTTPSOptions(options);
      return options;
    } catch (error) {
      return new CredentialError(error);
    }
  }

  async close(): Promise<void> {
    await this.writing.destroy();
  }
}

/** The server's URL as it is dialled and told; a password in it would stand in every message. */
function withoutCredentials(server: string): string {
  return server.replace(/^(https?:\/\/)[^/]*@/, '$1').replace(/\/+$/, '');
}

/** The problem of an answer that is not what was asked for. */
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
  // The last answer is handed on, so that its Status can be told.
  throwOnError: false,
});

function headersOf(options: SocketOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value !== undefined) headers[name] = String(value);
  }
  // Basic authentication comes as node:http's option, which undici does not know.
  if (options.auth) headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  return headers;
}
